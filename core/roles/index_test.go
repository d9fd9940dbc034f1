package roles_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"ifmlab/core/design"
	"ifmlab/core/roles"
)

// roleOf returns what the first of two columns is taken for, beside numbers.
func roleOf(t *testing.T, n int, name string, f func(row int) string) roles.Use {
	t.Helper()
	return firstOf(t, n, name, f, roles.Settings{}).Uses[0]
}

// Amounts are drawn around a mean; the numbers of a gas, a room or a year of school are
// such.
func TestANameAloneMakesNoIdentifier(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		spread, n := 3+40*rng.Float64(), 200+rng.IntN(900)
		amount := func(int) string { return strconv.Itoa(max(0, int(6*spread+spread*rng.NormFloat64()))) }
		for _, name := range []string{"NO", "NO2", "education_num", "room_no", "key", "iso", "index", "row", "product"} {
			u := roleOf(t, n, name, amount)
			assert.Equal(t, roles.RoleFeature, u.Role, "%s: %s", name, u.Reason)
			assert.Equal(t, design.Numeric, u.Kind, "%s: %s", name, u.Reason)
		}
		id := roleOf(t, n, "customer_id", func(int) string { return strconv.Itoa(1 + rng.IntN(n/8)) })
		assert.Equal(t, design.Categorical, id.Kind, id.Reason)
		for _, name := range []string{"account", "customer no"} {
			u := roleOf(t, n, name, func(int) string { return strconv.Itoa(1_000_000 + rng.IntN(8_999_999)) })
			assert.Equal(t, roles.RoleIgnore, u.Role, "%s: %s", name, u.Reason)
		}
	}
}

func TestASavedRowIndexIsNoFeature(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 53))
		n, by := 30+rng.IntN(400), 1-2*int(seed%2)
		at := 1000 * n
		gaps := func(int) string {
			at += by * (1 + rng.IntN(3))
			return strconv.Itoa(at)
		}
		for _, name := range []string{"", "rowid", "obs", "__index_level_0__", "Unnamed: 0", "#", "S.No", "id", "record"} {
			u := roleOf(t, n, name, gaps)
			assert.Equal(t, roles.RoleIgnore, u.Role, "%q: %s", name, u.Reason)
			u = roleOf(t, n, name, func(row int) string { return strconv.Itoa(10 * (row + 1)) })
			assert.Equal(t, roles.RoleIgnore, u.Role, "%q: %s", name, u.Reason)
		}
		shuffled := rng.Perm(3 * n)
		u := roleOf(t, n, "", func(row int) string { return strconv.Itoa(shuffled[row]) })
		assert.Equal(t, roles.RoleIgnore, u.Role, u.Reason)

		for _, name := range []string{"depth", "year", "mileage", "dose"} {
			assert.Equal(t, roles.RoleFeature, roleOf(t, n, name, gaps).Role, name)
		}
		u = roleOf(t, n, "", func(row int) string { return fmt.Sprintf("%.2f", float64(row)+rng.Float64()) })
		assert.Equal(t, roles.RoleFeature, u.Role, "fractions are no index")
		u = roleOf(t, n, "", func(int) string { return strconv.Itoa(rng.IntN(12)) })
		assert.Equal(t, roles.RoleFeature, u.Role, "numbers that repeat are no index")
	}
}

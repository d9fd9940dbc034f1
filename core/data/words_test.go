package data

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestANameIsSplitWhereAReaderSeesItsWords(t *testing.T) {
	for name, want := range map[string]string{
		"StoreID": "store id", "store_id": "store id", " Store id": "store id", "IDNumber": "id number", "HTTPStatus2": "http status 2",
		"Größe (cm)": "größe", "Öl_MENGE": "Öl menge", "pm2.5": "pm 2 5", "price/day": "price per day", "Unnamed: 0": "unnamed 0", "[kg] mass": "mass", "": "", "(x)": "", "a)b": "a b",
		"kWh": "k wh", "--": "",
	} {
		assert.Equal(t, want, strings.Join(titleOf(name).words, " "), name)
	}
}

func TestANameSaysWhatItNumbers(t *testing.T) {
	names := func(list string) []string { return strings.Split(list, "|") }
	for _, name := range names("playerId|PLAYER_ID|zip|Zip Code|id_kunde|GUID|invoice no|Flight_Num|idx|Unnamed: 0|serial|code postal|room number|ean barcode|userid") {
		assert.True(t, titleOf(name).identifier(), name)
	}
	for _, name := range names("number of rooms|num_rooms|number|num|id_count|key rate|valid|grid|paid|price_index|idle|width|ID length|no of cars|zip size") {
		assert.False(t, titleOf(name).identifier(), name)
	}
	for _, name := range names("Hour|hour of day|birth_month|dayOfWeek|store_nbr|weathersit|Weather code|type 2|pclass|Region|cluster_3|Quarter") {
		assert.True(t, titleOf(name).code(), name)
	}
	for _, name := range names("class_size|price per day|price/day|hours per week|type_count|daylight|season ticket price|seasonal|station_elevation|origins|monthly") {
		assert.False(t, titleOf(name).code(), name)
	}
	for _, name := range names("year|ModelYear|birth date|startdate|timestamp|time|Date|unix_timestamp") {
		assert.True(t, titleOf(name).date(), name)
	}
	for _, name := range names("delivery time|years of service|lifetime|candidates|yearly|update|Candidate") {
		assert.False(t, titleOf(name).date(), name)
	}
	for _, name := range names("date|pickup_time|timestamp_utc|LastSeenTime|logged_at_time|ts|ts_event|startTime|saledate|DateKey|epoch_ms|time of day") {
		assert.True(t, titleOf(name).clock(), name)
	}
	for _, name := range names("candidate_id|sentiment|centimeters|lifetime|update|timer|price per time|revenue_to_date|sales_year|epochs|its") {
		assert.False(t, titleOf(name).clock(), name)
	}
	for _, name := range names("zip|Zips|ZIPCode|ZIPcode|zip_code|PLZ|postal area|PostCode|post code|Postleitzahl|store zip (US)") {
		assert.True(t, titleOf(name).postal(), name)
	}
	for _, name := range names("zipped|zipper_2|compost|posted code|code") {
		assert.False(t, titleOf(name).postal(), name)
	}
	assert.True(t, titleOf("Postleitzahl").identifier(), "every name of postal codes is one of an identifier")
	for name, want := range map[string]int{
		"y": plainTarget, "Target": plainTarget, "house value": knownTarget, "SalePrice": knownTarget, "Miles_per_Gallon": knownTarget, "cnt": knownTarget,
		"user_rating": likeTarget, "price (USD)": knownTarget, "PriceUSD": notTarget, "y1": notTarget, "valued": notTarget, "values": notTarget, "count of beds": likeTarget, "pos_y": notTarget,
	} {
		assert.Equal(t, want, titleOf(name).target(), name)
	}
	assert.True(t, titleOf("pickup_longitude").place() && titleOf("x").place() && !titleOf("x2").place() && !titleOf("latent").place())
}

func TestAnyNameHasWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	runes := []rune("aZq0_-.~,\\ +%&=#?/()[]'Öπ🚲ID\x00\n")
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(14) {
			b.WriteRune(runes[rng.IntN(len(runes))])
		}
		name := titleOf(b.String())
		_, _, _, _ = name.identifier(), name.code(), name.date(), name.place()
		_, _, _ = name.target(), name.clock(), name.postal()
		for _, w := range name.words {
			assert.NotEmpty(t, w)
		}
	}
}

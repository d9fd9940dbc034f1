package title

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
		assert.Equal(t, want, strings.Join(Of(name).Words, " "), name)
	}
}

func TestANameSaysWhatItNumbers(t *testing.T) {
	for what, c := range map[string]struct {
		is      func(Words) bool
		yes, no string
	}{
		"identifier": {Words.Identifier, "playerId|PLAYER_ID|zip|Zip Code|id_kunde|GUID|invoice no|Flight_Num|idx|Unnamed: 0|serial|code postal|room number|ean barcode|userid",
			"number of rooms|num_rooms|number|num|id_count|key rate|valid|grid|paid|price_index|idle|width|ID length|no of cars|zip size"},
		"code": {Words.Code, "Hour|hour of day|birth_month|dayOfWeek|store_nbr|weathersit|Weather code|type 2|pclass|Region|cluster_3|Quarter",
			"class_size|price per day|price/day|hours per week|type_count|daylight|season ticket price|seasonal|station_elevation|origins|monthly"},
		"date": {Words.Date, "year|ModelYear|birth date|startdate|timestamp|time|Date|unix_timestamp",
			"delivery time|years of service|lifetime|candidates|yearly|update|Candidate"},
		"clock": {Words.Clock, "date|pickup_time|timestamp_utc|LastSeenTime|logged_at_time|ts|ts_event|startTime|saledate|DateKey|epoch_ms|time of day",
			"candidate_id|sentiment|centimeters|lifetime|update|timer|price per time|revenue_to_date|sales_year|epochs|its"},
		"postal": {Words.Postal, "zip|Zips|ZIPCode|ZIPcode|zip_code|PLZ|postal area|PostCode|post code|Postleitzahl|store zip (US)", "zipped|zipper_2|compost|posted code|code"},
	} {
		for _, name := range strings.Split(c.yes, "|") {
			assert.True(t, c.is(Of(name)), "%s: %s", what, name)
		}
		for _, name := range strings.Split(c.no, "|") {
			assert.False(t, c.is(Of(name)), "%s: %s", what, name)
		}
	}
	assert.True(t, Of("Postleitzahl").Identifier(), "every name of postal codes is one of an identifier")
	for name, want := range map[string]int{
		"y": PlainTarget, "Target": PlainTarget, "house value": KnownTarget, "SalePrice": KnownTarget, "Miles_per_Gallon": KnownTarget, "cnt": KnownTarget,
		"user_rating": LikeTarget, "price (USD)": KnownTarget, "PriceUSD": NotTarget, "y1": NotTarget, "valued": NotTarget, "values": NotTarget, "count of beds": LikeTarget, "pos_y": NotTarget,
	} {
		assert.Equal(t, want, Of(name).Target(), name)
	}
	assert.True(t, Of("pickup_longitude").Place() && Of("x").Place() && !Of("x2").Place() && !Of("latent").Place())
}

func TestAnyNameHasWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	runes := []rune("aZq0_-.~,\\ +%&=#?/()[]'Öπ🚲ID\x00\n")
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(14) {
			b.WriteRune(runes[rng.IntN(len(runes))])
		}
		name := Of(b.String())
		_, _, _, _ = name.Identifier(), name.Code(), name.Date(), name.Place()
		_, _, _ = name.Target(), name.Clock(), name.Postal()
		for _, w := range name.Words {
			assert.NotEmpty(t, w)
		}
	}
}

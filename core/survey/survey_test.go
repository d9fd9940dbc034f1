package survey

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ifmlab/core/message"
	"ifmlab/core/spec"
	"ifmlab/core/vtec"
	"ifmlab/core/vtec/sky"
)

func survey(t *testing.T, query string, file *sky.File) *Survey {
	t.Helper()
	s, notices := spec.ParseIonosphere(query)
	require.Empty(t, notices)
	return must(Open(s, file))
}

func saved(t *testing.T, s *Survey, day int, what string) (content []byte, file *sky.File) {
	t.Helper()
	name, content, err := s.Write(day, what)
	require.NoError(t, err)
	file = must(sky.Read(name, bytes.NewReader(content)))
	return content, file
}

// above returns the content above one place.
func above(s *Survey, day int, second, lat, lon float64) (tec float64, ok bool) {
	tec = s.Source.TEC(day, second, []float64{lat}, []float64{lon})[0]
	return tec, tec == tec
}

func TestASurveyIsWhatItsSettingsSay(t *testing.T) {
	s := survey(t, "", nil)
	assert.Len(t, s.Days(), 9)
	assert.Equal(t, "TestDay1", s.Days()[0])
	assert.Len(t, s.Network.Stations, 17)
	assert.Equal(t, []vtec.Method{vtec.Ridge, vtec.LASSO, vtec.ElasticNet, vtec.Kernel, vtec.FM, vtec.IFM, vtec.Kriging}, s.Methods)
	assert.Len(t, s.Windows(), 9*1440/20)
	assert.Len(t, s.Fixes(), 9*1440/120)

	s = survey(t, "methods=ridge,ifm&days=2&stride=240&fixes=0&latitude=-34&longitude=-58&edge=100&spacing=80", nil)
	assert.Equal(t, []string{"TestDay1", "TestDay2"}, s.Days())
	assert.Equal(t, []vtec.Method{vtec.Ridge, vtec.IFM}, s.Methods)
	assert.Len(t, s.Windows(), 12)
	assert.Empty(t, s.Fixes())
	test := s.Network.Stations[s.Network.Test]
	assert.InDelta(t, -34, test.Lat, .5)
	assert.InDelta(t, -58, test.Lon, .5)
}

func TestEveryPenaltyOfTheSettingsReachesItsMethod(t *testing.T) {
	s, notices := spec.ParseIonosphere("ridge=1&lasso=2&elasticnet=3&netratio=0.4&kernel=5&gamma=6&fmrank=7&fmlambda=8&fmlinear=9&ifmrank=10&ifmlambda=11&ifmlinear=12&fixfmrank=1&fixfmlambda=2&gfmrank=9&gfmlambda=13&gfmlinear=17&length=15&noise=16&fixifmrank=3&fixifmlambda=4")
	require.Empty(t, notices)
	assert.Equal(t, vtec.Tuning{
		vtec.Ridge: {Penalty: 1}, vtec.LASSO: {Penalty: 2}, vtec.ElasticNet: {Penalty: 3, Shape: .4}, vtec.Kernel: {Penalty: 5, Shape: 6},
		vtec.FM: {Rank: 7, Penalty: 8, Linear: 9}, vtec.IFM: {Rank: 10, Penalty: 11, Linear: 12}, vtec.GFM: {Rank: 9, Penalty: 13, Linear: 17},
		vtec.Kriging: {Shape: 15, Penalty: 16},
	}, tuningOf(s))
	assert.Equal(t, vtec.Tuning{
		vtec.Ridge: {Penalty: 1}, vtec.LASSO: {Penalty: 2}, vtec.ElasticNet: {Penalty: 3, Shape: .4}, vtec.Kernel: {Penalty: 5, Shape: 6},
		vtec.FM: {Rank: 1, Penalty: 2, Linear: 9}, vtec.IFM: {Rank: 3, Penalty: 4, Linear: 12}, vtec.GFM: {Rank: 9, Penalty: 13, Linear: 17},
		vtec.Kriging: {Shape: 15, Penalty: 16},
	}, tuningOfBoth(s))
}

func TestWhatTuningChoosesBecomesTheSettings(t *testing.T) {
	const query = "tune=own&stride=240&days=1&fixes=0&methods=ridge,kriging"
	for _, c := range []struct{ query, file, want string }{
		{query, "", "methods=ridge,kriging&tune=own&stride=240&fixes=0&days=1&ridge=100000&length=100&noise=0.3"},
		{query + "&sky=points", "points", "sky=points&methods=ridge,kriging&tune=own&stride=240&fixes=0&days=1&ridge=100000&length=100&noise=0.3&fixfmrank=3&fixfmlambda=0.0001&fixifmrank=10"},
	} {
		var file *sky.File
		if c.file != "" {
			_, file = saved(t, survey(t, "days=1&stride=60", nil), 0, c.file)
		}
		s := survey(t, c.query, file)
		require.NotEmpty(t, s.Tunings())
		tuned := must(s.Tune(0))
		sums := make([]float64, len(tuned.Squares))
		for i := range sums {
			sums[i] = float64(2 + i%7)
		}
		sums[1], sums[len(vtec.Candidates(vtec.Ridge))+1] = 1, 1
		q := must(s.Tuned(sums))
		assert.Equal(t, c.want, q.Encode())
	}
}

func TestASurveyWithoutItsFileSaysWhatIsMissing(t *testing.T) {
	s := survey(t, "days=1&stride=720&latitude=31", nil)
	_, maps := saved(t, s, 0, "maps")
	_, points := saved(t, s, 0, "points")
	for _, c := range []struct {
		query string
		file  *sky.File
		says  string
	}{
		{"sky=maps", nil, "the settings need an IONEX file, but no file is open"},
		{"sky=disturbed", points, "the settings need an IONEX file, but TestDay1.csv is not one"},
		{"sky=points", nil, "the settings need a table of pierce points, but no file is open"},
		{"sky=points", maps, "the settings need a table of pierce points, but TestDay1.inx is not one"},
	} {
		settings, _ := spec.ParseIonosphere(c.query)
		_, err := Open(settings, c.file)
		require.ErrorAs(t, err, new(*SkyError))
		assert.Contains(t, err.Error(), c.says)
		assert.Equal(t, "SkyError", message.Kind(err))
	}
	survey(t, "days=1", points) // the simulator needs no file and minds none
}

func TestSavedMapsCarryTheFieldAndNotTheNoise(t *testing.T) {
	s := survey(t, "days=1&stride=720&methods=ridge", nil)
	_, file := saved(t, s, 0, "maps")
	maps := survey(t, "days=1&stride=720&methods=ridge&sky=maps&phase=0", file)
	disturbed := survey(t, "days=1&stride=720&methods=ridge&sky=disturbed&phase=0&waves=3", file)
	want, ok := above(s, 0, 43200, 30.5, 115.5)
	require.True(t, ok)
	got, ok := above(maps, 0, 43200, 30.5, 115.5)
	require.True(t, ok)
	assert.InDelta(t, want, got, .06, "to the tenths of the file")
	got, _ = above(disturbed, 0, 43200, 30.5, 115.5)
	assert.NotEqual(t, want, got)
	for i := range maps.Windows() {
		calm := must(maps.Window(i))
		require.Empty(t, calm.Unusable)
		rough := must(disturbed.Window(i))
		assert.Greater(t, rough.Zero, calm.Zero)
	}
}

// plane returns the value at (0, 0) of the plane of least squares, by the normal
// equations.
func plane(x, y, z []float64) float64 {
	var a [3][4]float64
	for i := range z {
		row := [4]float64{1, x[i], y[i], z[i]}
		for r := range 3 {
			for c := range 4 {
				a[r][c] += row[r] * row[c]
			}
		}
	}
	for p := range 3 {
		for r := range 3 {
			if r != p {
				f := a[r][p] / a[p][p]
				for c := range 4 {
					a[r][c] -= f * a[p][c]
				}
			}
		}
	}
	return a[0][3] / a[0][0]
}

func TestTheBendOfASceneIsWhatAPlaneAsLargeAsTheNetLeaves(t *testing.T) {
	s := survey(t, "latitude=40&longitude=179.5&days=2", nil) // over the date line
	const rows, columns, second = 25, 33, 30000
	scene := s.Scene(1, second, rows, columns, true)
	require.Len(t, scene.Latitude, rows)
	require.Len(t, scene.Longitude, columns)
	require.Len(t, scene.TEC, rows*columns)
	require.Len(t, scene.Bend, rows*columns)
	var radius float64
	test := s.Network.Stations[s.Network.Test]
	for _, other := range s.Network.Stations {
		east := (math.Mod(other.Lon-test.Lon+540, 360) - 180) * math.Cos(test.Lat*math.Pi/180)
		radius = max(radius, math.Hypot(other.Lat-test.Lat, east))
	}
	assert.InDelta(t, 1.4, radius, .2, "two rings of a lattice of 75 km")
	dlat, dlon := scene.Latitude[1]-scene.Latitude[0], scene.Longitude[1]-scene.Longitude[0]
	up, right := math.Round(radius/dlat), math.Round(radius/math.Cos(test.Lat*math.Pi/180)/dlon)
	strongest := 0.
	for i := range rows {
		for j := range columns {
			lat, lon := scene.Latitude[i], scene.Longitude[j]
			tec, ok := above(s, 1, second, lat, lon)
			require.True(t, ok)
			require.InDelta(t, tec, scene.TEC[i*columns+j], 1e-9)
			var x, y, z []float64
			for a := -up; a <= up; a++ {
				for b := -right; b <= right; b++ {
					v, _ := above(s, 1, second, lat+a*dlat, lon+b*dlon)
					x, y, z = append(x, a), append(y, b), append(z, v)
				}
			}
			require.InDelta(t, tec-plane(x, y, z), scene.Bend[i*columns+j], 1e-8)
			strongest = max(strongest, math.Abs(scene.Bend[i*columns+j]))
		}
	}
	assert.Greater(t, strongest, .01, "TECU")

	shot := must(s.Source.Snapshot(1, second/60))
	assert.Equal(t, shot, scene.Snapshot)
	for _, p := range scene.Points {
		assert.Less(t, scene.Latitude[0], p.Lat, "the grid reaches beyond all signals")
		assert.Less(t, p.Lat, scene.Latitude[rows-1])
		assert.Less(t, scene.Longitude[0], p.Lon)
		assert.Less(t, p.Lon, scene.Longitude[columns-1])
	}
	assert.Equal(t, scene.Latitude, s.Scene(0, 0, rows, columns, true).Latitude, "it stands still")

	net := s.Scene(1, second, rows, columns, false)
	for _, station := range s.Network.Stations {
		assert.Less(t, math.Abs(station.Lat-test.Lat), net.Latitude[rows-1]-test.Lat, "the net is whole on its own map")
	}
	assert.InDelta(t, 1.5*radius, net.Latitude[rows-1]-test.Lat, 1e-9, "and fills two thirds of it")
	for _, i := range [][2]int{{0, 0}, {7, 30}, {12, 16}} {
		tec, _ := above(s, 1, second, net.Latitude[i[0]], net.Longitude[i[1]])
		assert.InDelta(t, tec, net.TEC[i[0]*columns+i[1]], 1e-9)
	}
	assert.Equal(t, shot, net.Snapshot, "signals are told wherever they are")
}

func TestASceneOfATableHasPointsAndNoField(t *testing.T) {
	_, points := saved(t, survey(t, "days=1&stride=480", nil), 0, "points")
	s := survey(t, "sky=points&stride=480", points)
	scene := s.Scene(0, 480*60, 5, 7, true)
	assert.NotEmpty(t, scene.Points)
	assert.Empty(t, scene.Unusable)
	for i := range scene.TEC {
		assert.True(t, math.IsNaN(scene.TEC[i]) && math.IsNaN(scene.Bend[i]))
	}
	scene = s.Scene(0, 481*60, 5, 7, false)
	assert.Empty(t, scene.Points)
	assert.NotEmpty(t, scene.Unusable, "there are no rows for this minute")
	assert.Len(t, scene.Latitude, 5)

	s.Network.Stations = append([]sky.Station{}, s.Network.Stations...)
	s.Network.Stations[5].Lat -= 60
	_, _, radius := s.extent()
	assert.Equal(t, sceneReach, radius, "a square as large as the picture is large enough")
}

func TestWhatIsAssumedOfAFileIsSaid(t *testing.T) {
	content, _ := saved(t, survey(t, "days=1&stride=480", nil), 0, "points")
	text := strings.NewReplacer("\n0,", "\n2010-12-04,", "\n28800,", "\n2010-12-05,", "\n57600,", "\n2010-12-06,").Replace(string(content))
	file := must(sky.Read("a.csv", strings.NewReader(text)))
	const notice = "the file holds 3 days, of which the first 2 are used"
	assert.Contains(t, survey(t, "sky=points&days=2", file).Notices, notice)
	assert.NotContains(t, strings.Join(survey(t, "sky=points&days=3", file).Notices, "\n"), "days")
	assert.Empty(t, survey(t, "days=2", file).Notices, "the simulator's have no end")
	const truth = "positions are right where they agree with what was observed"
	assert.Contains(t, strings.Join(survey(t, "sky=points", file).Notices, "\n"), truth)
	assert.NotContains(t, strings.Join(survey(t, "sky=points&fixes=0", file).Notices, "\n"), truth)
}

func TestWhatIsSimulatedSaysSoWhenItIsReadBack(t *testing.T) {
	const settings = "days=1&stride=720&waves=0.5&ridge=0.5&lasso=0.25&elasticnet=0.125&kernel=0.5&seed=3"
	s := survey(t, settings, nil)
	for _, what := range []string{"maps", "points"} {
		name, content, err := s.Write(0, what)
		require.NoError(t, err)
		head := strings.NewReplacer("\n", "", " ", "", "COMMENT", "").Replace(string(content[:2000]))
		assert.Contains(t, head, "waves=0.5&ridge=0.5&lasso=0.25&elasticnet=0.125&kernel=0.5&seed=3")
		file := must(sky.Read(name, bytes.NewReader(content)))
		assert.Contains(t, strings.Join(file.Notices, "\n"), "this file was simulated by iFM Lab", what)
		assert.True(t, file.Simulated(), what)
		back := survey(t, "sky="+what+"&stride=720", file)
		if what == "points" {
			continue // nothing is known between them to save as maps
		}
		_, again, err := back.Write(0, what)
		require.NoError(t, err)
		assert.NotContains(t, string(again[:2000]), "simulated by", "maps alone are not simulated by these settings")
	}
}

func TestBothSystemsOfSatellitesHaveATuningOfTheirOwn(t *testing.T) {
	const settings = "days=1&stride=720&methods=ifm&fixifmrank=1&fixifmlambda=5&ifmrank=2&ifmlambda=7"
	both := survey(t, settings+"&systems=2", nil)
	same := survey(t, settings+"&systems=2&ifmrank=1&ifmlambda=5", nil)
	other := survey(t, settings+"&systems=2&fixifmrank=2&fixifmlambda=7", nil)
	first := must(both.Window(0))
	second := must(same.Window(0))
	third := must(other.Window(0))
	assert.Equal(t, first, second)
	assert.NotEqual(t, first.Squares, third.Squares)
}

// must returns what a call that succeeds returns.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

//go:build js && wasm

package main

import (
	"math"
	"strings"
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = "days=2&stride=480&fixes=720&methods=ridge,ifm"

func (p page) survey(query string, sky int) js.Value {
	p.t.Helper()
	return p.call("survey", map[string]any{"query": query, "sky": sky})
}

// readSky is read of a file for the ionosphere experiment.
func (p page) readSky(name, content string, chunk int) js.Value {
	return p.readAs("sky", name, content, chunk)
}

func decoded(bytes js.Value) string {
	return js.Global().Get("TextDecoder").New().Call("decode", bytes).String()
}

func TestASurveyIsListedAndEachOfItsWindowsRun(t *testing.T) {
	p := open(t)
	s := p.survey(small, 0)
	assert.Equal(t, "simulated", s.Get("kind").String())
	assert.Equal(t, 17, s.Get("stations").Length())
	assert.Equal(t, 17, s.Get("latitude").Length())
	assert.InDelta(t, 115, s.Get("longitude").Index(s.Get("test").Int()).Float(), .5)
	assert.Equal(t, "Int32Array", s.Get("edges").Get("constructor").Get("name").String())
	assert.Greater(t, s.Get("edges").Length(), 2*20)
	assert.Equal(t, "ridge,ifm", s.Get("methods").Call("join").String())
	assert.Equal(t, "TestDay1,TestDay2", s.Get("days").Call("join").String())
	assert.Equal(t, "0,0,0,1,1,1", s.Get("day").Call("join").String())
	assert.Equal(t, "0,480,960,0,480,960", s.Get("minute").Call("join").String())
	assert.Equal(t, "0,0,1,1", s.Get("fixDay").Call("join").String())
	assert.Equal(t, "0,720,0,720", s.Get("fixMinute").Call("join").String())
	assert.Equal(t, 0, s.Get("notices").Length())
	assert.Equal(t, "0,0,0,0,0,0", s.Get("station").Call("join").String())
	assert.Equal(t, 0, s.Get("tunings").Int())

	survey := s.Get("survey").Int()
	window := p.call("window", map[string]any{"survey": survey, "window": 4})
	assert.GreaterOrEqual(t, window.Get("satellites").Int(), 4)
	assert.Greater(t, window.Get("train").Int(), window.Get("test").Int())
	assert.Greater(t, window.Get("test").Int(), 10)
	assert.Equal(t, 2, window.Get("squares").Length())
	assert.Equal(t, 3, window.Get("bandTest").Length())
	assert.Equal(t, 3*2, window.Get("bandSquares").Length())
	for i := range 2 {
		assert.Less(t, window.Get("squares").Index(i).Float(), window.Get("zero").Float(), "a method is better than none")
	}
	assert.Empty(t, window.Get("unusable").String())

	p.call("window", map[string]any{"survey": survey, "window": 0})
	other := open(t)
	again := other.survey(small, 0).Get("survey").Int()
	assert.JSONEq(t, stringify(window), stringify(other.call("window", map[string]any{"survey": again, "window": 4})), "the same bits in another worker, in another order")

	fix := p.call("fix", map[string]any{"survey": survey, "window": 3})
	assert.Equal(t, 2, fix.Get("fixed").Length())
	assert.Greater(t, fix.Get("tried").Int(), 0)
	assert.LessOrEqual(t, fix.Get("fixed").Index(0).Int(), fix.Get("tried").Int())
	assert.Equal(t, 0, fix.Get("unfinished").Int())
}

func TestASurveyIsTunedOnWindowsThatItDoesNotTest(t *testing.T) {
	p := open(t)
	s := p.survey("days=1&stride=720&methods=ridge,kriging&tune=own&stations=all", 0)
	survey := s.Get("survey").Int()
	assert.Equal(t, 10, s.Get("tunings").Int())
	assert.Equal(t, 2*17, s.Get("station").Length())
	assert.Equal(t, 16, s.Get("station").Index(33).Int())
	tuned := p.call("tune", map[string]any{"survey": survey, "window": 3})
	require.Equal(t, 13+72, tuned.Get("squares").Length())
	assert.Greater(t, tuned.Get("test").Int(), 5)
	sums := make([]any, 13+72)
	for i := range sums {
		sums[i] = tuned.Get("squares").Index(i).Float()
	}
	chosen := p.call("choose", map[string]any{"survey": survey, "sums": sums}).Get("query").String()
	assert.Contains(t, chosen, "tune=own")
	assert.Contains(t, chosen, "methods=ridge,kriging")
}

func TestASceneIsColumnsToDraw(t *testing.T) {
	p := open(t)
	survey := p.survey("days=1", 0).Get("survey").Int()
	scene := p.call("scene", map[string]any{"survey": survey, "day": 0, "second": 43200, "rows": 6, "columns": 8})
	assert.Equal(t, 6, scene.Get("latitude").Length())
	assert.Equal(t, 8, scene.Get("longitude").Length())
	for _, name := range []string{"tec", "bend"} {
		assert.Equal(t, 48, scene.Get(name).Length())
		assert.Equal(t, "Float64Array", scene.Get(name).Get("constructor").Get("name").String())
	}
	n := scene.Get("satellites").Length()
	assert.Greater(t, n, 3)
	for _, name := range []string{"satellite", "station", "pointLatitude", "pointLongitude", "delay"} {
		require.Equal(t, 17*n, scene.Get(name).Length(), name)
	}
	assert.Equal(t, n-1, scene.Get("satellite").Index(17*n-1).Int())
	assert.Equal(t, 16, scene.Get("station").Index(17*n-1).Int())
	assert.Equal(t, 0, scene.Get("station").Index(17).Int())
	// Noon at 30° in the simulator is some 30 TECU, 5 m at L1.
	assert.InDelta(t, 5, scene.Get("delay").Index(0).Float(), 4)
	assert.Empty(t, scene.Get("unusable").String())
	whole := p.call("scene", map[string]any{"survey": survey, "day": 0, "second": 43200, "rows": 6, "columns": 8, "whole": true})
	assert.InDelta(t, 42, whole.Get("latitude").Index(5).Float(), 1e-9, "as far as signals go")
	assert.Less(t, scene.Get("latitude").Index(5).Float(), 33., "else the net alone")
}

func TestADayIsWrittenAndReadBackByteByByteAndAtOnce(t *testing.T) {
	p := open(t)
	survey := p.survey(small, 0).Get("survey").Int()
	for what, name := range map[string]string{"maps": "TestDay2.inx", "points": "TestDay2.csv"} {
		file := p.call("write", map[string]any{"survey": survey, "day": 1, "what": what})
		assert.Equal(t, name, file.Get("name").String())
		content := decoded(file.Get("bytes"))
		sky := p.readSky("a file", content, len(content)).Get("result")
		assert.Equal(t, what, sky.Get("kind").String())
		assert.Equal(t, "a file", sky.Get("name").String())
		assert.Equal(t, len(content), sky.Get("bytes").Int())
		assert.Equal(t, 1, sky.Get("days").Length())
		assert.Greater(t, sky.Get("facts").Length(), 3)
		assert.Equal(t, 2, sky.Get("facts").Index(0).Length())
		assert.Equal(t, 0, sky.Get("badCount").Int())
		pieces := p.readSky("a file", content, 1000).Get("result")
		assert.NotEqual(t, sky.Get("sky").Int(), pieces.Get("sky").Int())
		pieces.Set("sky", sky.Get("sky"))
		assert.JSONEq(t, stringify(sky), stringify(pieces))
		on := p.survey(small+"&sky="+what, sky.Get("sky").Int())
		assert.Equal(t, what, on.Get("kind").String())
		window := p.call("window", map[string]any{"survey": on.Get("survey").Int(), "window": 1})
		assert.Empty(t, window.Get("unusable").String())
		assert.Greater(t, window.Get("zero").Float(), 0.0)
	}
}

func TestWhatASurveyLacksIsAnErrorAndItGoesOn(t *testing.T) {
	p := open(t)
	survey := p.survey(small, 0).Get("survey").Int()
	for call, args := range map[string][]map[string]any{
		"window": {{"window": -1}, {"window": 6}},
		"fix":    {{"window": 4}},
		"scene":  {{"day": 2, "second": 0, "rows": 5, "columns": 5}, {"day": 0, "second": 86400, "rows": 5, "columns": 5}, {"day": 0, "second": 0, "rows": 1, "columns": 5}, {"day": 0, "second": 0, "rows": 5, "columns": 100000}},
		"write":  {{"day": -1, "what": "maps"}},
	} {
		for _, a := range args {
			a["survey"] = survey
			e := p.fails(p.invoke("call", call, a))
			assert.Equal(t, "outside", e.Get("kind").String(), call)
		}
	}
	assert.Empty(t, p.call("window", map[string]any{"survey": survey, "window": 5}).Get("unusable").String())

	p.refuses("SkyError", "survey", map[string]any{"query": "sky=maps", "sky": 0})
	p.refuses("unknownHandle", "survey", map[string]any{"query": "sky=maps", "sky": 99})
	odd := p.survey("days=1&stride=0&colour=red", 0).Get("notices")
	assert.Equal(t, 2, odd.Length())
	assert.Contains(t, odd.Call("join").String(), "colour")
}

func TestASkyThatCannotBeReadLeavesWhatWasOpen(t *testing.T) {
	p := open(t)
	survey := p.survey(small, 0).Get("survey").Int()
	content := decoded(p.call("write", map[string]any{"survey": survey, "day": 0, "what": "maps"}).Get("bytes"))
	sky := p.readSky("day.inx", content, 1<<16).Get("result").Get("sky").Int()

	e := p.fails(p.readSky("cut.inx", content[:len(content)/3], 1<<16))
	assert.Equal(t, "FileError", e.Get("kind").String())
	assert.Equal(t, "cut.inx", e.Get("file").String())
	assert.Greater(t, e.Get("line").Int(), 100)
	assert.Contains(t, e.Get("message").String(), "cut short")
	e = p.fails(p.readSky("other.csv", "a,b\n1,2\n", 3))
	assert.Equal(t, "FileError", e.Get("kind").String())
	assert.NotEmpty(t, e.Get("field").String(), "the column that is missing")

	again := p.survey(small+"&sky=maps", sky)
	assert.Equal(t, 3, again.Get("day").Length(), "the one day of the file")
	p.call("window", map[string]any{"survey": survey, "window": 0})
}

func TestTheHandlesOfClosedThingsAreUnknown(t *testing.T) {
	p := open(t)
	survey := p.survey(small, 0).Get("survey").Int()
	content := decoded(p.call("write", map[string]any{"survey": survey, "day": 0, "what": "points"}).Get("bytes"))
	sky := p.readSky("day.csv", content, 1<<16).Get("result").Get("sky").Int()
	over := p.survey("stride=480&sky=points", sky).Get("survey").Int()

	p.call("close", map[string]any{"handle": sky})
	p.refuses("unknownHandle", "survey", map[string]any{"query": "sky=points", "sky": sky})
	assert.Empty(t, p.call("window", map[string]any{"survey": over, "window": 0}).Get("unusable").String(), "a survey keeps its file")

	p.call("close", map[string]any{"handle": over})
	for _, call := range []string{"window", "fix", "scene", "write"} {
		e := p.fails(p.invoke("call", call, map[string]any{"survey": over, "window": 0, "day": 0, "second": 0}))
		assert.Equal(t, "unknownHandle", e.Get("kind").String(), call)
	}
	p.call("window", map[string]any{"survey": survey, "window": 0})
	p.call("close", map[string]any{"handle": 12345}) // is no fault: its worker may have died
}

func TestATableOfPiercePointsListsItsBadLines(t *testing.T) {
	p := open(t)
	survey := p.survey(small, 0).Get("survey").Int()
	content := decoded(p.call("write", map[string]any{"survey": survey, "day": 0, "what": "points"}).Get("bytes"))
	lines := strings.Split(content, "\n")
	lines[20] = strings.Replace(lines[20], ",", ",x", 3)
	lines[20] = lines[20][:strings.LastIndex(lines[20], ",")] + ",much"
	sky := p.readSky("day.csv", strings.Join(lines, "\n"), 777).Get("result")
	require.Equal(t, 1, sky.Get("badCount").Int())
	bad := sky.Get("bad").Index(0)
	assert.Equal(t, 21, bad.Get("line").Int())
	assert.Greater(t, bad.Get("column").Int(), 1)
	assert.Equal(t, "day.csv", bad.Get("file").String())
	assert.Contains(t, bad.Get("message").String(), "day.csv:21:")
	scene := p.call("scene", map[string]any{"survey": p.survey("sky=points&stride=480", sky.Get("sky").Int()).Get("survey").Int(), "day": 0, "second": 0, "rows": 3, "columns": 3})
	assert.True(t, math.IsNaN(scene.Get("tec").Index(4).Float()), "nobody knows the field between the points")
}

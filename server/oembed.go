package main

import (
	"html"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The frame that oEmbed gives is this wide, unless the asking page has less room.
const frameWidth = 800

// embed answers /oembed (oembed.com, version 1.0): for a link to the page, or
// to its share card, the frame that shows the same.
func (s *site) embed(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, line string) { sendLine(w, r, status, line) }
	if len(r.URL.RawQuery) > 2*maxSettings {
		refuse(http.StatusRequestURITooLong, "this query is longer than 16384 bytes; leave some settings of url out")
		return
	}
	asked, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(http.StatusBadRequest, "the query cannot be read; write each value with its &, ; and % escaped")
		return
	}
	if format := asked.Get("format"); format != "" && format != "json" {
		refuse(http.StatusNotImplemented, "only format=json is answered")
		return
	}
	at, err := s.address(r)
	if err != nil {
		refuse(http.StatusBadRequest, err.Error())
		return
	}
	width, fine := room(asked, "maxwidth")
	height, too := room(asked, "maxheight")
	if !fine || !too {
		refuse(http.StatusBadRequest, "maxwidth and maxheight are whole numbers of pixels, 1 or more; leave out what does not matter")
		return
	}
	if asked.Get("url") == "" {
		refuse(http.StatusBadRequest, "give the address to embed, as in /oembed?url="+url.QueryEscape(at+"/p/scenario=mixed"))
		return
	}
	query, ours := s.linkIn(asked.Get("url"), at)
	if !ours {
		refuse(http.StatusNotFound, "url is no link to this page; those begin with "+at+"/? or "+at+"/p/")
		return
	}
	send(w, r, http.StatusOK, s.cacheControl(), "application/json", readLink(query).frame(at, width, height))
}

// cacheSeconds is how long the asking page may keep the answer.
const cacheSeconds = "86400"

// room returns the pixels that the asking page has, unlimited if it does not say.
func room(asked url.Values, key string) (pixels int, ok bool) {
	if !asked.Has(key) {
		return math.MaxInt, true
	}
	pixels, err := strconv.Atoi(asked.Get(key))
	return pixels, err == nil && pixels > 0
}

// linkIn returns the settings of a link to the page or to a share card of this
// site. Behind a proxy the site may not know that it is at https, so the scheme
// counts only where it was told.
func (s *site) linkIn(text, at string) (query string, ours bool) {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || len(text) > maxSettings {
		return "", false
	}
	scheme, host, _ := strings.Cut(at, "://")
	host, folder, _ := strings.Cut(host, "/")
	if folder != "" {
		inside, is := within("/"+folder, u)
		if !is {
			return "", false
		}
		u = inside
	}
	if !strings.EqualFold(u.Host, host) || u.Scheme != scheme && (s.origin != "" || u.Scheme != "http" && u.Scheme != "https") {
		return "", false
	}
	if u.Path == "/" || u.Path == "" {
		return u.RawQuery, true
	}
	return strings.CutPrefix(u.EscapedPath(), "/p/")
}

// frame writes the answer, at most width×height in size. The frame shows what
// the link does without the page around it, unless that is a table of the
// reader's own, which can only be chosen in the page. It has the attributes of
// the frame that Share writes, none of them a style; where the asking page has
// named no width, it is as wide as what it stands in.
func (l link) frame(at string, width, height int) string {
	c := l.card()
	l.framed()
	wide := min(width, frameWidth)
	w, h := strconv.Itoa(wide), strconv.Itoa(min(height, l.Height(wide)))
	across := w
	if width == math.MaxInt {
		across = "100%"
	}
	frame := `<iframe src="` + html.EscapeString(at+"/?"+l.Encode()) + `" title="` + html.EscapeString(c.title) + ` · iFM Lab" width="` + across + `" height="` + h + `" frameborder="0" loading="lazy"></iframe>`
	fields := []string{`"version":"1.0"`, `"type":"rich"`, `"provider_name":"iFM Lab"`, `"provider_url":` + quote(at+"/"), `"cache_age":` + cacheSeconds, `"title":` + quote(c.title), `"width":` + w, `"height":` + h, `"html":` + quote(frame)}
	if c.picture != "" && pictureWidth <= width && pictureHeight <= height {
		fields = append(fields, `"thumbnail_url":`+quote(at+"/cards/"+c.picture+".png"), `"thumbnail_width":`+strconv.Itoa(pictureWidth), `"thumbnail_height":`+strconv.Itoa(pictureHeight))
	}
	return "{" + strings.Join(fields, ",") + "}\n"
}

// framed turns a link to the page into one to a frame, if it is not yet. Of the
// figure it leaves out the heat maps, which would make it twice as high.
func (l *link) framed() {
	chapter, table := l.View.Chapter != "none", l.Spec.Source == "table"
	if l.View.Embed == "0" {
		l.View.Embed = "1"
		if table && !chapter && l.View.Sample == "none" {
			l.View.Embed = "lab"
		} else if !table && !chapter && len(l.View.Hide) == 0 {
			l.View.Hide = []string{"matrices"}
		}
	}
}

// quote writes a JSON string that is also safe in HTML and scripts. encoding/json would do, but weighs in the Worker.
func quote(text string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text { // what is not UTF-8 comes as U+FFFD
		if r < ' ' || strings.ContainsRune("\"\\<>&'\u007f\u2028\u2029", r) {
			b.Write([]byte{'\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

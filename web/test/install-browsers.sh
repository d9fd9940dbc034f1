#!/bin/sh
# Sees to it that the browser tests find their browsers: Chromium at
# $CHROME_PATH or on PATH, Firefox at $FIREFOX_PATH or on PATH, else, for root on
# a system with apt-get, Debian's packages. Without Chromium it fails; without
# Firefox, or with an old one, its tests are skipped, which it says. Asked for
# --firefox it installs nothing and says whether there is one that is new enough.
set -eu

# given VARIABLE: whether it names a program; it is an error if it names none.
given() {
	eval "program=\${$1:-}"
	[ -n "$program" ] || return 1
	[ -x "$program" ] && return 0
	echo "$1 is $program, which is no program; set it to a browser, or unset it" >&2
	exit 1
}

# install PACKAGES: whether apt-get could.
install() {
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
	echo "installing $*"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq && apt-get install -qq -y --no-install-recommends "$@"
}

# The oldest Firefox that the tests pass in, as firefox.mjs has it too.
OLDEST=153

# suitable: whether there is one that is new enough; else found says what there is.
suitable() {
	found="none was found"
	for program in "${FIREFOX_PATH:-}" firefox-esr firefox; do
		command -v "$program" >/dev/null || continue
		found=$("$program" --version 2>/dev/null) || true
		version=${found##*Firefox }
		[ "${version%%.*}" -ge "$OLDEST" ] 2>/dev/null && return 0
		found="$program is ${found:-no Firefox}"
		return 1
	done
	return 1
}

if [ "${1:-}" = --firefox ]; then
	suitable && exit
	echo "not run: the tests in Firefox, because $found; they want version $OLDEST or later"
	exit 1
fi

given CHROME_PATH || command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || install chromium-headless-shell || install chromium || {
	echo "no Chromium was found; install it, or set CHROME_PATH to a Chromium or Chrome" >&2
	exit 1
}
given FIREFOX_PATH || suitable || install firefox-esr || true
suitable || echo "not run: the tests in Firefox, because $found; install firefox-esr $OLDEST or later, or set FIREFOX_PATH to one" >&2

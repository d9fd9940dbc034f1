#!/bin/sh
# Sees to it that the browser tests find their browsers: Chromium at
# $CHROME_PATH or on PATH, Firefox at $FIREFOX_PATH or on PATH, else, for root on
# a system with apt-get, Debian's packages. Without Chromium it fails; without
# Firefox its tests are skipped, which it says.
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

given CHROME_PATH || command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || install chromium-headless-shell || install chromium || {
	echo "no Chromium was found; install it, or set CHROME_PATH to a Chromium or Chrome" >&2
	exit 1
}
given FIREFOX_PATH || command -v firefox-esr >/dev/null || command -v firefox >/dev/null || install firefox-esr ||
	echo "not run: the tests in Firefox, because none was found; install firefox-esr, or set FIREFOX_PATH to a Firefox" >&2

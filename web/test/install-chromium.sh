#!/bin/sh
# Sees to it that the browser tests find Chromium: $CHROME_PATH, else chromium
# on PATH, else, for root on a system with apt-get, Debian's package.
set -eu

if [ -n "${CHROME_PATH:-}" ]; then
	[ -x "$CHROME_PATH" ] && exit 0
	echo "CHROME_PATH is $CHROME_PATH, which is no program; set it to a Chromium or Chrome" >&2
	exit 1
fi
command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "installing chromium"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core
	exit 0
fi
echo "no Chromium was found; install it, or set CHROME_PATH to a Chromium or Chrome" >&2
exit 1

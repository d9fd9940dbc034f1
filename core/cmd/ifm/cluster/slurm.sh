#!/bin/sh
# Runs a command beside a real SLURM that it starts on this machine: munged, slurmctld and
# three slurmds of two CPUs on loopback, with all their files in one folder, no
# accounting, no cgroups and no systemd. make cluster runs the tests of sweeps so.
#
#	slurm.sh with COMMAND …   start it, run COMMAND, stop it; the command's exit status
#	slurm.sh lose NODE        in COMMAND: kill -9 a node, its slurmd and all that it runs
#	slurm.sh back NODE        in COMMAND: start a lost node again
#
# COMMAND has SLURM_CONF, by which squeue, sbatch and the others find the cluster. It
# needs root and Debian's packages, whose slurmd may run several times on one machine;
# without them it says so, runs nothing and ends with 0. Only daemons that it started are
# ended, and steps whose environment names its slurm.conf.
set -eu

say() { echo "slurm.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

# A TCP port that nothing listens on, counting up from $1.
port() {
	p=$1
	while grep -qi ":$(printf %04X "$p") 00000000:0000 0A" /proc/net/tcp; do p=$((p + 1)); done
	echo "$p"
}

# Waits up to $1 seconds for a command to succeed.
await() {
	tries=$(($1 * 10)); shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep .1
	done
}

configure() {
	mkdir -p state spool log
	chmod 700 state
	memory=$(awk '/MemTotal/ { print int($2 / 1024 * .9) }' /proc/meminfo)
	control=$(port $((20000 + $$ % 20000)))
	cat >slurm.conf <<-CONF
		ClusterName=local
		SlurmctldHost=$(hostname -s)(127.0.0.1)
		SlurmctldPort=$control
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		CredType=cred/munge
		# A task that is started again waits until its first credential has expired, 120 s by default:
		AuthInfo=socket=$PWD/munge.socket,cred_expire=5
		StateSaveLocation=$PWD/state
		SlurmdSpoolDir=$PWD/spool/%n
		SlurmctldPidFile=$PWD/slurmctld.pid
		SlurmdPidFile=$PWD/slurmd-%n.pid
		SlurmctldLogFile=$PWD/log/slurmctld
		SlurmdLogFile=$PWD/log/slurmd-%n
		# What needs neither cgroups nor a data base:
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		JobCompType=jobcomp/none
		MpiDefault=none
		MailProg=/bin/true
		SwitchType=switch/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerType=sched/backfill
		# Nodes claim more CPUs than the machine may have; quick answers for a test:
		SlurmdParameters=config_overrides
		SchedulerParameters=sched_interval=1,batch_sched_delay=0
		ReturnToService=2
		SlurmdTimeout=5
		SlurmctldTimeout=5
		InactiveLimit=0
		KillWait=2
		MinJobAge=300
		# A lost node's tasks start again; so does a script that ends with 137 since its process was killed:
		JobRequeue=1
		RequeueExit=137
	CONF
	p=$control
	for i in 1 2 3; do
		p=$(port $((p + 1)))
		echo "NodeName=n$i NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$p CPUs=2 RealMemory=$((memory / 3)) State=UNKNOWN" >>slurm.conf
	done
	echo "PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP" >>slurm.conf
}

start_node() { slurmd -N "$1" -f "$SLURM_CONF"; }

up() {
	configure
	(umask 077; head -c 1024 /dev/urandom >munge.key)
	munged --force --key-file="$PWD/munge.key" --socket="$PWD/munge.socket" --pid-file="$PWD/munged.pid" \
		--log-file="$PWD/log/munged" --seed-file="$PWD/munge.seed" --num-threads=2 2>log/munged.err || { cat log/munged.err >&2; fail "munged did not start"; }
	slurmctld -f "$SLURM_CONF" || { tail log/slurmctld >&2; fail "slurmctld did not start"; }
	for node in n1 n2 n3; do start_node $node; done
	all_idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" = 3 ]; }
	await 30 all_idle || { sinfo >&2; tail -n 5 log/* >&2; fail "the nodes are not ready"; }
}

down() {
	cd "$FOLDER"
	if [ -s slurmctld.pid ]; then
		timeout 5 scancel --quiet --user=root --full 2>/dev/null || true
		none_left() { [ -z "$(squeue -h)" ]; }
		await 10 none_left || true
	fi
	daemons=$(cat slurmd-*.pid slurmctld.pid munged.pid 2>/dev/null || true)
	for pid in $daemons; do kill "$pid" 2>/dev/null || true; done
	for pid in $daemons; do await 10 sh -c "! kill -0 $pid" || kill -9 "$pid" 2>/dev/null || true; done
	for pid in $(steps ''); do kill -9 "$pid" 2>/dev/null || true; done
	cd /
	rm -rf "$FOLDER"
}

# The pids of this cluster's steps: slurmstepd's and what they started. With $1, only
# those of one node. What a step starts names the node and shares the session of its
# slurmstepd, which does not.
steps() {
	sessions=' '
	found=
	for file in $(grep -lzsx "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ); do
		dir=${file%/environ}
		read -r name <"$dir/comm" || continue
		read -r stat <"$dir/stat" || continue
		set -- "$1" ${stat##*) }
		case $name in
		slurmstepd*) ;;
		*)
			grep -qzs '^SLURM_JOB_ID=' "$file" || continue
			if grep -qzsx "SLURMD_NODENAME=$1" "$file"; then sessions="$sessions$5 "; fi
			;;
		esac
		found="$found ${dir#/proc/}:$5"
	done 2>/dev/null
	for one in $found; do
		[ -z "$1" ] && { echo "${one%:*}"; continue; }
		case $sessions in *" ${one#*:} "*) echo "${one%:*}" ;; esac
	done
}

lose() {
	kill -9 "$(cat "slurmd-$1.pid")"
	rm -f "slurmd-$1.pid"
	for pid in $(steps "$1"); do kill -9 "$pid" 2>/dev/null || true; done
}

# Why no SLURM can be started here.
missing() {
	[ "$(uname -s)" = Linux ] || { echo "this is not Linux"; return; }
	for daemon in munged slurmctld slurmd sinfo sbatch; do
		command -v $daemon >/dev/null || { echo "$daemon was not found; as root on Debian: apt-get install --no-install-recommends slurm-wlm munge"; return; }
	done
	[ "$(id -u)" = 0 ] || echo "it must be root"
}

case ${1-}/$# in
lose/2 | back/2)
	cd "$(dirname "$SLURM_CONF")"
	if [ "$1" = lose ]; then lose "$2"; else start_node "$2"; fi
	;;
with/1 | */0 | */1) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
with/*)
	shift
	why=$(missing)
	[ -z "$why" ] || { echo "not run: sweeps on SLURM, because $why"; exit 0; }
	FOLDER=$(mktemp -d /tmp/slurm.XXXXXX) # short: the path of a socket has at most 107 bytes
	SLURM_CONF=$FOLDER/slurm.conf
	export SLURM_CONF
	chmod 755 "$FOLDER"
	here=$PWD
	trap 'down || true' EXIT
	trap 'exit 130' HUP INT TERM
	cd "$FOLDER"
	up
	cd "$here"
	"$@"
	;;
*) fail "found $1, want with, lose or back" ;;
esac

#!/bin/sh
# A sweep in a hundred parts on SLURM, in a folder that all nodes see:
#
#	sbatch array.sh                                 all parts
#	sbatch --array=4,17-19 array.sh                 some of them again, as ifm merge says
#	PARTS=8 sbatch --array=1-8 array.sh             another number of parts
#
# Do not write "exec ifm": SLURM requeues a script whose command was killed (137), not a
# command that takes the script's place.
#SBATCH --array=1-100
#SBATCH --cpus-per-task=4
#SBATCH --requeue
ifm sweep links.txt -out results -shard "$SLURM_ARRAY_TASK_ID/${PARTS:-100}" -workers "$SLURM_CPUS_PER_TASK"

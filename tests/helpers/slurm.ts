/** Slurm on this machine alone: its daemons under a configuration in a temporary folder, ended when the test ends. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startMs = 60_000;
const freePort = () => 20_000 + Math.floor(Math.random() * 20_000);

export interface Slurm {
  /** The variables that its commands need. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** @returns a sentence if it cannot be started here */
export async function startSlurm(): Promise<Slurm | string> {
  for (const program of ['slurmctld', 'slurmd', 'munged', 'sbatch'])
    if (spawnSync('which', [program]).status !== 0) return `there is no ${program} on this machine`;
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-slurm-'));
  for (const name of ['state', 'spool']) mkdirSync(join(folder, name));
  const env = { SLURM_CONF: join(folder, 'slurm.conf') };
  writeFileSync(env.SLURM_CONF, configuration(folder));
  const daemons: ChildProcess[] = [];
  const stop = () => {
    for (const daemon of daemons) daemon.kill('SIGKILL');
    spawnSync('munged', ['--stop']);
    rmSync(folder, { recursive: true, force: true });
  };
  spawnSync('sh', ['-c', 'mkdir -p /run/munge && chown munge: /run/munge /var/log/munge']);
  if (spawnSync('munged', ['--force']).status !== 0) {
    stop();
    return 'munged did not start';
  }
  for (const program of ['slurmctld', 'slurmd'])
    daemons.push(spawn(program, ['-D'], { env: { ...process.env, ...env }, stdio: 'ignore' }));
  for (const endMs = Date.now() + startMs; Date.now() < endMs; await sleep(500))
    if (/\bidle\b/.test(spawnSync('sinfo', ['-h', '-o', '%T'], { env: { ...process.env, ...env } }).stdout?.toString()))
      return { env, stop };
  stop();
  return `Slurm had no idle node within ${startMs / 1000} s`;
}

/** One node with two processors, and jobs that come back soon after they were requeued. */
const configuration = (folder: string): string => `ClusterName=test
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=cred_expire=5
StateSaveLocation=${join(folder, 'state')}
SlurmdSpoolDir=${join(folder, 'spool')}
SlurmctldPidFile=${join(folder, 'slurmctld.pid')}
SlurmdPidFile=${join(folder, 'slurmd.pid')}
SlurmctldLogFile=${join(folder, 'slurmctld.log')}
SlurmdLogFile=${join(folder, 'slurmd.log')}
SlurmctldPort=${freePort()}
SlurmdPort=${freePort()}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
NodeName=${hostname()} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES
`;

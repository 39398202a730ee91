/** Messages of the service to systemd, from a real socket of datagrams; and its log level, which changes while it runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, install } from '../../scripts/system-package.mjs';
import { fileOf } from '../support/deployment.ts';
import { until } from '../support/expectations.ts';
import { isImpossible } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const LISTENER = `
import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print("LISTENS", flush=True)
while True: print(listener.recv(4096).decode(), flush=True)
`;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation?.remove());

function missing(): string | undefined {
  const programs = ['systemd-notify', 'systemd-analyze', 'python3'];
  const isMissing = () => programs.some((name) => find([name]) === undefined);
  return isMissing() ? (install('systemd', 'python3') ?? (isMissing() ? 'systemd' : undefined)) : undefined;
}

describe.skipIf(isImpossible(missing()))('systemd', () => {
  let listener: ChildProcess;
  let heard = '';
  afterAll(() => {
    listener?.kill();
  });

  it('hears that the service is ready, lives and stops', async () => {
    const socket = join(installation.directory, 'notify');
    listener = spawn('python3', ['-c', LISTENER, socket]);
    listener.stdout?.on('data', (chunk) => (heard += chunk));
    await until(() => heard.includes('LISTENS'));
    const watched = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' };
    const service = await installation.spawn(watched);
    await until(() => /READY=1/.test(heard) && /STATUS=answers signups/.test(heard));
    const ready = heard.length;
    await until(() => heard.slice(ready).split('WATCHDOG=1').length > 3);
    expect(await service.stop()).toBe(0);
    await until(() => heard.includes('STOPPING=1'));
    expect(heard).toMatch(/READY=1[\s\S]*WATCHDOG=1[\s\S]*STOPPING=1/);
    expect(service.output()).not.toContain('could not be notified');
  });

  it('accepts the unit, and finds little that the service could do to the machine', () => {
    const unit = join(installation.directory, 'gatehouse.service');
    const folder = installation.directory;
    // The programs of this machine, because those of the unit are not installed.
    writeFileSync(
      unit,
      fileOf('deploy/systemd/gatehouse.service')
        .replace('/usr/bin/node ', `${process.execPath} `)
        .replace('WorkingDirectory=/opt/gatehouse', `WorkingDirectory=${folder}`),
    );
    const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(analyze('verify', '--man=no', unit)).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = analyze('security', '--offline=true', '--no-pager', unit);
    expect(Number(/exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2);
  });
});

describe('gatehouse log-level', () => {
  it('changes the level of the running service, and back, and not that of the next start', async () => {
    const { live } = await plant(installation);
    const service = await installation.spawn();
    const assess = () =>
      fetch(`${service.url}/v1/assess`, {
        method: 'POST',
        headers: { authorization: `Bearer ${live}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'jo@example.com' }),
      });
    expect((await assess()).status).toBe(200);
    expect(service.output()).not.toContain('answered');
    expect(await installation.json('log-level', 'debug')).toEqual({
      level: 'debug',
      until: 'the next start',
    });
    await until(() => service.output().includes('the log level was changed'));
    expect((await assess()).status).toBe(200);
    await until(() => service.output().includes('"operation":"assessSignup"'));
    await installation.json('log-level', 'settings');
    await until(() => service.output().includes('that of the settings again'));
    const before = service.output().length;
    expect((await assess()).status).toBe(200);
    await installation.json('log-level', 'silent');
    await until(() => service.output().includes('"log_level":"silent"'));
    expect(service.output().slice(before)).not.toContain('answered');
    await service.stop();
    const { status, stderr } = await installation.run('log-level', 'debug');
    expect([status, stderr]).toEqual([1, expect.stringContaining('no service runs on')]);
    const next = await installation.spawn();
    expect(next.output()).toContain('listening');
    expect((await installation.run('log-level', 'loud')).status).toBe(2);
    await next.stop();
  });
});

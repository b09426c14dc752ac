import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { z } from 'zod';
import { askProgram } from '../../src/control/client.ts';
import { type CommandContext, type ControlCommand, createControlCommand } from '../../src/control/command.ts';
import { type ControlServer, serveControl } from '../../src/control/server.ts';
import { createLog } from '../../src/lib/log.ts';
import { systemTimers, type Timers } from '../../src/lib/time/timers.ts';
import { StoreError } from '../../src/store/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A terminal that notes what it is shown. */
function terminal(signal = new AbortController().signal) {
  const out: string[] = [];
  const err: string[] = [];
  const context: CommandContext = {
    signal,
    print: async (line) => void out.push(line),
    warn: async (line) => void err.push(line),
  };
  return { out, err, context };
}

const echo = createControlCommand(
  'echo',
  z.object({ text: z.string() }),
  async ({ text }, { print, warn }) => {
    await print(text);
    await warn(`not ${text}`);
    return 3;
  },
);

/** A command that runs until its signal is aborted. */
function endless() {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const command: ControlCommand = createControlCommand('endless', z.null(), async (_, { signal, print }) => {
    await print('begun');
    started.resolve();
    if (!signal.aborted) {
      await once(signal, 'abort');
    }
    await print('ended in good order');
    ended.resolve();
    return 130;
  });
  return { command, started: started.promise, ended: ended.promise };
}

async function serve(
  t: TestContext,
  dataDir: string,
  commands: readonly ControlCommand[] = [echo],
  timers: Timers = systemTimers,
): Promise<{ server: ControlServer; log(): string }> {
  let log = '';
  const server = await serveControl({
    dataDir,
    commands,
    timers,
    log: createLog('trace', {
      write: (line) => {
        log += line;
      },
    }),
  });
  t.after(() => server.close());
  return { server, log: () => log };
}

const ask = (dataDir: string, command: string, input: unknown, { context }: { context: CommandContext }) =>
  askProgram(dataDir, { command, input }, context);

/** Connects, and leaves what is sent to the test. */
async function rawTerminal(t: TestContext, dataDir: string): Promise<Socket> {
  const socket = connect(join(dataDir, 'control.sock'));
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('the control socket', () => {
  it('runs a command, streams what it says, and returns its exit code', async (t) => {
    const dataDir = temporaryFolder(t);
    await serve(t, dataDir);
    const shown = terminal();
    // A text of several pieces, with line feeds and letters of several bytes.
    const text = `é\n${'ẹ'.repeat(200_000)}`.slice(0, 20_000);
    assert.equal(await ask(dataDir, 'echo', { text }, shown), 3);
    assert.deepEqual([shown.out, shown.err], [[text], [`not ${text}`]]);
  });

  it('says that no program runs where there is no socket, or only that of a program that crashed', async (t) => {
    const dataDir = temporaryFolder(t);
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), undefined);
    assert.equal(await ask(join(dataDir, 'nowhere'), 'echo', { text: 'a' }, terminal()), undefined);
    writeFileSync(join(dataDir, 'control.sock'), '');
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), undefined);
    await serve(t, dataDir);
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), 3);
  });

  it('is open to its user alone, and gone when the program has stopped', async (t) => {
    const dataDir = temporaryFolder(t);
    const { server } = await serve(t, dataDir);
    const path = join(dataDir, 'control.sock');
    const { mode } = statSync(path);
    assert.equal((mode & 0o777).toString(8), '600');
    await server.close();
    assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
  });

  it('is in the data folder, however long the path of that is', async (t) => {
    const dataDir = join(temporaryFolder(t), 'a-folder-with-a-long-name'.repeat(4), 'and-another'.repeat(10));
    mkdirSync(dataDir, { recursive: true });
    const { server } = await serve(t, dataDir);
    assert.ok(statSync(join(dataDir, 'control.sock')).isSocket());
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), 3);
    await server.close();
    assert.equal(statSync(join(dataDir, 'control.sock'), { throwIfNoEntry: false }), undefined);
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), undefined);
  });

  it('runs the program without a socket where there cannot be one, and logs it', async (t) => {
    const dataDir = join(temporaryFolder(t), 'missing');
    const { log } = await serve(t, dataDir);
    assert.match(log(), /"level":40.*cannot reach the running program/);
  });

  it('stops the command when the terminal asks, and still shows what it says then', async (t) => {
    const dataDir = temporaryFolder(t);
    const { command, started } = endless();
    await serve(t, dataDir, [command]);
    const interrupted = new AbortController();
    const shown = terminal(interrupted.signal);
    const exit = ask(dataDir, 'endless', null, shown);
    await started;
    interrupted.abort();
    assert.equal(await exit, 130);
    assert.deepEqual(shown.out, ['begun', 'ended in good order']);
  });

  it('stops the command when the terminal is gone', async (t) => {
    const dataDir = temporaryFolder(t);
    const { command, started, ended } = endless();
    await serve(t, dataDir, [command]);
    const socket = await rawTerminal(t, dataDir);
    socket.write('{"command":"endless","input":null}\n');
    await started;
    socket.destroy();
    await ended;
  });

  it('stops the command when the program stops', async (t) => {
    const dataDir = temporaryFolder(t);
    const { command, started } = endless();
    const { server } = await serve(t, dataDir, [command]);
    const shown = terminal();
    const exit = ask(dataDir, 'endless', null, shown);
    await started;
    await server.close();
    assert.equal(await exit, 130);
    assert.deepEqual(shown.out, ['begun', 'ended in good order']);
  });

  it('does not wait for a terminal that reads nothing, when the program stops', async (t) => {
    const dataDir = temporaryFolder(t);
    const isFull = Promise.withResolvers<void>();
    const flood = createControlCommand('flood', z.null(), async (_, { print, signal }) => {
      while (!signal.aborted) {
        const printed = print('x'.repeat(1_000_000));
        await Promise.race([printed, systemTimers.sleep(0)]);
        isFull.resolve();
        await printed;
      }
      return 0;
    });
    const { server } = await serve(t, dataDir, [flood], {
      elapsed: systemTimers.elapsed,
      sleep: (ms, signal) => (ms < 5_000 ? Promise.resolve() : systemTimers.sleep(ms, signal)),
    });
    const socket = await rawTerminal(t, dataDir);
    socket.write('{"command":"flood","input":null}\n');
    await isFull.promise;
    await server.close();
  });

  it('runs one command of a name at a time', async (t) => {
    const dataDir = temporaryFolder(t);
    const { command, started } = endless();
    await serve(t, dataDir, [command, echo]);
    const interrupted = new AbortController();
    const exit = ask(dataDir, 'endless', null, terminal(interrupted.signal));
    await started;
    const second = terminal();
    assert.equal(await ask(dataDir, 'endless', null, second), 1);
    assert.match(second.err.join(), /already running/);
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, terminal()), 3);
    interrupted.abort();
    await exit;
  });

  it('refuses what it does not know: another version may have sent it', async (t) => {
    const dataDir = temporaryFolder(t);
    await serve(t, dataDir);
    for (const [command, input] of [
      ['erase', {}],
      ['echo', { words: 'a' }],
    ] as const) {
      const shown = terminal();
      assert.equal(await ask(dataDir, command, input, shown), 1);
      assert.match(shown.err.join(), /another version.*Restart the program/);
    }
  });

  it('shows an error that is for operators, and logs any other', async (t) => {
    const dataDir = temporaryFolder(t);
    const fail = (name: string, error: Error) =>
      createControlCommand(name, z.null(), () => Promise.reject(error));
    const { log } = await serve(t, dataDir, [
      fail('full', new StoreError('disk_full', 'The disk is full.')),
      fail('broken', new Error('sequence 17')),
    ]);
    const [full, broken] = [terminal(), terminal()];
    assert.equal(await ask(dataDir, 'full', null, full), 1);
    assert.deepEqual(full.err, ['The disk is full.']);
    assert.doesNotMatch(log(), /a command failed/);
    assert.equal(await ask(dataDir, 'broken', null, broken), 1);
    assert.match(broken.err.join(), /^broken failed\. The program’s log says why\.$/);
    assert.match(log(), /sequence 17.*a command failed/);
  });

  it('closes a connection that sends no request, one that is too long, or no JSON', async (t) => {
    const dataDir = temporaryFolder(t);
    let wait: Timers['sleep'] = systemTimers.sleep;
    const timers: Timers = { elapsed: systemTimers.elapsed, sleep: (ms, signal) => wait(ms, signal) };
    await serve(t, dataDir, [echo], timers);
    for (const sent of ['x'.repeat(70_000), 'no JSON\n', `"${'x'.repeat(70_000)}"\n`]) {
      const socket = await rawTerminal(t, dataDir);
      socket.on('error', () => {});
      socket.write(sent);
      await once(socket, 'close');
    }
    wait = async () => {};
    const silent = await rawTerminal(t, dataDir);
    silent.resume();
    await once(silent, 'close');
  });

  it('says so when the program ends before the command has', async (t) => {
    const dataDir = temporaryFolder(t);
    const server = createServer((socket) => {
      socket.write('{"out":"begun"}\n{"out":"cut o');
      socket.destroySoon();
    });
    t.after(() => server.close());
    server.listen(join(dataDir, 'control.sock'));
    await once(server, 'listening');
    const shown = terminal();
    assert.equal(await ask(dataDir, 'echo', { text: 'a' }, shown), 1);
    assert.deepEqual(shown.out, ['begun']);
    assert.match(shown.err.join(), /stopped before it was done/);
  });
});

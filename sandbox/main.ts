import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProfile, exampleProfile, passedSettings } from './app-process/app-process.ts';
import { millisecondsUntil } from './lib/lagos-time.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { assertSingleInstance, markRunning, openStateFolder } from './state-folder.ts';

const help = `npm run sandbox [-- options]

  --socket      the app connects by Socket Mode instead of signed HTTP requests
  --oauth       several workspaces, in which people install the app themselves
  --rotate      like --oauth, with tokens that expire and are refreshed
  --instances 3 three instances of the app on one PostgreSQL, from scratch each time
  --at 21:00    starts at this time of day in Lagos, such as in quiet hours
  --profile unicodeType=unicode
                sets a field of the provider’s profile, or removes it without a value; can be repeated
  --reset       deletes what earlier runs kept in .sandbox
  --help        shows this`;

const usualPorts = { page: 4300, provider: 4301, app: 4302 };
const stateFolder = resolve('.sandbox');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run sandbox`: everything on this machine, until Ctrl-C. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      socket: { type: 'boolean' },
      oauth: { type: 'boolean' },
      rotate: { type: 'boolean' },
      instances: { type: 'string' },
      profile: { type: 'string', multiple: true },
      reset: { type: 'boolean' },
      at: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    return print(help);
  }
  const clockOffsetMs = values.at === undefined ? 0 : millisecondsUntil(values.at, new Date());
  await assertSingleInstance(stateFolder);
  const instances = values.instances === undefined ? undefined : readInstances(values.instances);
  const folder = await openStateFolder(
    // Of its own: what the app keeps on PostgreSQL is not kept for the next time.
    instances === undefined ? stateFolder : join(stateFolder, 'instances'),
    { reset: values.reset ?? instances !== undefined },
  );
  const settings = passedSettings(process.env);
  if (values.profile !== undefined) {
    await copyProfile(settings.PROVIDER_PROFILE ?? exampleProfile, folder.profile, values.profile);
    settings.PROVIDER_PROFILE = folder.profile;
  }
  print('Starting the sandbox…');
  const sandbox = await startSandbox({
    folder,
    transport: values.socket ? 'socket' : 'http',
    oauth: values.rotate ? 'rotate' : values.oauth ? 'keep' : undefined,
    instances,
    clockOffsetMs,
    ports: usualPorts,
    settings,
    entersWebhook: true,
    print,
  });
  const unmark = await markRunning(stateFolder, sandbox.url);
  const stop = async (code: number): Promise<never> => {
    await sandbox.stop();
    await unmark();
    process.exit(code);
  };
  untilSignal().then(() => {
    print('\nStopping…');
    return stop(0);
  });
  greet(sandbox, folder.appLog, instances === undefined);
  Promise.all(sandbox.instances.map(({ failed }) => failed)).catch((error: unknown) => {
    print(`The app stopped and won’t be restarted. ${error instanceof Error ? error.message : error}`);
    return stop(1);
  });
}

const maxInstances = 9;

/** Throws with what is expected. */
function readInstances(text: string): number {
  if (!/^[1-9]$/.test(text)) {
    throw new Error(`--instances takes a number from 1 to ${maxInstances}, such as 3.`);
  }
  return Number(text);
}

/** Resolves at the first Ctrl-C or SIGTERM. The second one exits at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signalled = false;
    const onSignal = () => {
      if (signalled) {
        process.exit(1);
      }
      signalled = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

function greet({ url, provider, slack }: Sandbox, log: string, isKept: boolean): void {
  const { commands } = slack.snapshot('U0ADMIN');
  const command = (name: string) =>
    commands.find((each) => each.command.endsWith(name))?.command ?? `/${name}`;
  const steps = [
    ...(commands.length === 0
      ? ['You are Grace, an admin. Choose “Add Switchboard” on the left, and allow it.']
      : []),
    `You are Grace, an admin. Type ${command('switchboard')} and connect this provider key:\n       ${provider.account.key}`,
    `There, open Reports and create the webhook URL: then the provider reports on each message.`,
    `Type ${command('sms')} and send a message to +2348031234567. Open Phone, in the drawer on the right, to read it.`,
  ];
  print(`
  Switchboard is ready:  ${url}

  Open it in a browser. It looks like Slack, and nothing in it leaves this machine.
${steps.map((step, at) => `  ${at + 1}. ${step}`).join('\n')}

  The app’s log: ${log}
  Ctrl-C stops everything; ${isKept ? 'your data is kept for the next start' : 'the next start begins from scratch'}.
`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});

import { readSettings, type Settings } from '../config/settings.ts';
import { createLog } from '../lib/log.ts';
import type { ControlCommand } from './command.ts';
import { runExplained } from './explain.ts';
import { runInTerminal } from './terminal.ts';

/** A command of `package.json` that works on the data, whether the program runs or not. */
export interface Script {
  command: string;
  /** Returns what the command gets: plain data. Throws a StartupError that says how the command is called. */
  input(settings: Settings, argv: readonly string[]): unknown;
  /**
   * Opens the data for the command alone. Called where no program runs on it.
   *
   * @param report logs, redacted, what fails without ending the command
   */
  open(
    settings: Settings,
    report: (error: unknown) => void,
  ): Promise<{ command: ControlCommand; close(): Promise<void> }>;
}

/** Runs a script with the settings and the arguments of this process, and sets its exit code. */
export async function runScript({ command, input, open }: Script): Promise<void> {
  await runExplained(async () => {
    const settings = readSettings(process.env);
    const given = input(settings, process.argv.slice(2));
    process.exitCode = await runInTerminal({
      dataDir: settings.dataDir,
      command,
      input: given,
      async alone(context) {
        const opened = await open(settings, reportToTerminal);
        try {
          return await opened.command.run(given, context);
        } finally {
          await opened.close();
        }
      },
    });
  });
}

/** The standard output is for the command's own: an export is redirected to a file. */
function reportToTerminal(error: unknown): void {
  createLog('error', process.stderr).error({ err: error }, 'the command met an error and goes on');
}

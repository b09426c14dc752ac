import type { ZodType } from 'zod';
import { withOrigin } from '../lib/request-origin.ts';

/** Where a command's output goes: the terminal that asked for it. */
export interface CommandOutput {
  /** Writes a line to the standard output. Resolves once there is room for the next. */
  print(line: string): Promise<void>;
  /** The same to the standard error. */
  warn(line: string): Promise<void>;
}

export interface CommandContext extends CommandOutput {
  /** Aborted once nobody waits for the command any more: it ends at the next place where nothing is half done. */
  signal: AbortSignal;
}

/** What a terminal can ask for, of the running program or, where it does not run, of the data itself. */
export interface ControlCommand {
  name: string;
  /**
   * Resolves with the exit code.
   *
   * @param input as it arrived, not checked yet
   * @throws UnreadableInput
   */
  run(input: unknown, context: CommandContext): Promise<number>;
}

/** The input of a command is of another shape: another version sent it. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

/** A command with an input of this shape. */
export function createControlCommand<Input>(
  name: string,
  shape: ZodType<Input>,
  run: (input: Input, context: CommandContext) => Promise<number>,
): ControlCommand {
  return {
    name,
    async run(input, context) {
      const read = shape.safeParse(input);
      if (!read.success) {
        throw new UnreadableInput(`The input of ${name} cannot be read`);
      }
      return withOrigin({ surface: 'terminal' }, () => run(read.data, context));
    },
  };
}

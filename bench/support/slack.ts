import { z } from 'zod';
import { type Program, startProgram } from './program.ts';

const seenSchema = z.object({
  opened: z.number(),
  lastView: z.string(),
  messages: z.number(),
  refused: z.number(),
});

export interface FakeSlack extends Program {
  /**
   * Returns the number of views opened so far, the last one as JSON, how many calls about messages there were, and how many
   * of them were answered with 429.
   */
  seen(): Promise<z.infer<typeof seenSchema>>;
}

export async function startSlack(): Promise<FakeSlack> {
  const program = await startProgram(new URL('../fake-slack.ts', import.meta.url));
  return {
    ...program,
    async seen() {
      const answer = await fetch(`${program.url}/seen`);
      return seenSchema.parse(await answer.json());
    },
  };
}

import { type RespondArguments, RespondError, type RespondFn } from '@slack/bolt';
import { z } from 'zod';

const errorSchema = z.object({ ok: z.literal(false), error: z.string() });

/**
 * Sends a message to a `response_url`.
 *
 * @throws RespondError also where Slack answers a message that it does not take with status 200 and the error as JSON
 */
export async function sendResponse(respond: RespondFn, message: RespondArguments): Promise<void> {
  const response = await respond(message);
  const { data } = errorSchema.safeParse(parseJson(await response.text()));
  if (data !== undefined) {
    throw new RespondError(`Slack did not take the message: ${data.error}`, 400);
  }
}

/** Slack's other answer is the bare word `ok`. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { JsonObject } from '../../slack/protocol.ts';
import type { Context } from '../operation.ts';
import { type Answer, ok } from '../replies.ts';
import { watTimestamp } from '../wat.ts';

/** The envelope that some of the eSIM operations answer in (API §4.13). */
export function enveloped(data: JsonObject, message: string, { now }: Context): Answer {
  return ok({ status: 'Success', code: 200, data, message, timestamp: watTimestamp(now) });
}

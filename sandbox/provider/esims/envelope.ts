import { watTimestamp } from '../../lib/lagos-time.ts';
import type { JsonObject } from '../../slack/protocol.ts';
import { ok, type ProviderReply } from '../http/replies.ts';
import type { Context } from '../operation.ts';

/** The envelope that some of the eSIM operations answer in (API §4.13). */
export function inEnvelope(data: JsonObject, message: string, { now }: Context): ProviderReply {
  return ok({ status: 'Success', code: 200, data, message, timestamp: watTimestamp(now) });
}

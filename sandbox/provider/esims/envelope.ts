import type { JsonObject } from '../../lib/json.ts';
import { lagosTimestamp } from '../../lib/lagos-time.ts';
import { type FullReply, ok } from '../http/replies.ts';
import type { OperationContext } from '../operation.ts';

/** The envelope that some of the eSIM operations answer in (API §4.13). */
export function inEnvelope(data: JsonObject, message: string, { now }: OperationContext): FullReply {
  return ok({ status: 'Success', code: 200, data, message, timestamp: lagosTimestamp(now) });
}

import type { JsonObject } from '../../lib/json.ts';
import { lagosTimestamp } from '../../lib/lagos-time.ts';
import { type FullReply, ok } from '../http/replies.ts';
import type { OperationContext } from '../operation.ts';

/** Wraps data in the envelope of some eSIM operations (API §4.13). */
export function inEnvelope(data: JsonObject, message: string, { now }: OperationContext): FullReply {
  return ok({ status: 'Success', code: 200, data, message, timestamp: lagosTimestamp(now) });
}

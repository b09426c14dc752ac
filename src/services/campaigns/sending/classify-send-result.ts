import { maskPersonal } from '../../../lib/redact.ts';
import { type ProviderError, whatHappened } from '../../../provider/errors.ts';
import type { SendResult } from '../../../provider/messages/send-result.ts';
import type { Reason } from '../../../provider/names.ts';
import type { Outcome } from '../../../provider/outcome.ts';
import type { ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import { endingOf } from '../../operations/outcomes.ts';

/** What an answer means for the chunk that was sent, and for the campaign. */
export interface SendClassification {
  ending: Omit<ChunkEnding, 'number'>;
  /**
   * `on`: go on. `slower`: nothing was taken, and later it may be. `stop`: every other chunk would be refused as well,
   * so the campaign pauses; this chunk waits with the rest, unless the answer leaves a doubt about it. `refused` and
   * `unclear`: go on, unless it is the rule.
   */
  next: 'on' | 'slower' | 'stop' | 'refused' | 'unclear';
  /** What was in the way, for a person: of the campaign, where the ending's error is of one message. */
  trouble?: string;
  /** In milliseconds: how long the provider asks to wait. */
  pause?: number | undefined;
}

/** Refusals of the account, the sender or the route: they do not pass by themselves, and hold for every recipient. */
const ofAll: ReadonlySet<Reason> = new Set([
  'bad_key',
  'balance_too_low',
  'sender_id_unknown',
  'no_route',
  'not_configured',
  'input',
  'redirected',
  'untrusted',
]);

export function classifySendResult(outcome: Outcome<SendResult>): SendClassification {
  const { providerId, balance, error } = endingOf(outcome, ({ messageId, ...result }) => ({
    providerId: messageId,
    balance: result.balance,
  }));
  if (outcome.kind === 'accepted') {
    return { ending: { state: 'accepted', providerId, balance }, next: 'on' };
  }
  const { reason, retryAfter: pause } = outcome.error;
  const trouble = maskPersonal(whatHappened(outcome.error));
  if (outcome.kind === 'unconfirmed') {
    const next = ofAll.has(reason) ? 'stop' : 'unclear';
    return { ending: { state: 'unconfirmed', error }, next, trouble, pause };
  }
  const next = afterRefusal(outcome.error);
  const state = next === 'refused' ? 'rejected' : 'waiting';
  return { ending: { state, error }, next, trouble, pause };
}

function afterRefusal({ retryable, reason }: ProviderError): 'slower' | 'stop' | 'refused' {
  if (retryable) {
    return 'slower';
  }
  return ofAll.has(reason) ? 'stop' : 'refused';
}

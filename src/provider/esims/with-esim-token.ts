import type { FailureFacts, FailureKind, Outcome } from '../errors.ts';
import { raceWithSignal, startDeadline } from '../http/deadline.ts';
import { abortReasonOf } from '../http/exchange.ts';
import type { Timing } from '../http/timing.ts';
import { operationInfo } from '../operations.ts';
import type { RequestSender } from '../request/request-sender.ts';
import { providerError } from '../response/error-messages.ts';
import type { EsimTokens } from './esim-token.ts';

/**
 * Sends requests that are authenticated by the account's eSIM token (API §5). `totalTimeout` milliseconds include the
 * request for the token.
 */
export function withEsimToken(
  send: RequestSender,
  { tokens, totalTimeout, timing }: { tokens: EsimTokens; totalTimeout: number; timing: Timing },
): RequestSender {
  return async (operation, input, options) => {
    // Invalid input is refused before anything leaves, a request for a token included.
    if (!operation.input.safeParse(input).success) {
      return send(operation, input, options);
    }
    const { name } = operation;
    const isRead = operationInfo[name].effect === 'read';
    const { signal, clear } = startDeadline(totalTimeout, timing, options?.signal);
    const fail = (kind: FailureKind, facts: Omit<FailureFacts, 'operation'>) => ({
      kind,
      error: providerError(kind, { ...facts, operation: name }),
    });
    const attempt = async () => {
      const obtained = await raceWithSignal(isRead ? tokens.get() : tokens.renew(), signal);
      if (obtained === undefined) {
        return { outcome: fail('not_sent', { reason: abortReasonOf(signal) }) };
      }
      if (obtained.kind !== 'accepted') {
        const { sent, retryable, message, ...facts } = obtained.error;
        // In either case the request itself never left.
        const kind = obtained.kind === 'rejected' ? 'rejected' : 'not_sent';
        const detail = [facts.detail, tokenFailed].filter(Boolean).join(' ');
        return { outcome: fail(kind, { ...facts, detail }) };
      }
      const token = obtained.value;
      const request = (checked: Parameters<typeof operation.request>[0]) => ({
        ...operation.request(checked),
        token,
      });
      return { token, outcome: await send({ ...operation, request }, input, { signal }) };
    };
    try {
      const first = await attempt();
      if (first.token === undefined || !isTokenRefused(first.outcome)) {
        return first.outcome;
      }
      tokens.invalidate(first.token);
      // Only a read is repeated. A creation or purchase went out with a new token: a 401 for that one means that the
      // account may not do this.
      return isRead ? (await attempt()).outcome : first.outcome;
    } finally {
      clear();
    }
  };
}

const tokenFailed = 'This came of asking for the token that eSIMs need.';

function isTokenRefused(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'rejected') {
    return false;
  }
  const { status, providerCode } = outcome.error;
  return status === 401 || providerCode === '401';
}

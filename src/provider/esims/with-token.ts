import { type FailureFacts, type FailureKind, providerError } from '../errors.ts';
import { raceWithSignal, startDeadline } from '../http/deadline.ts';
import { abortReasonOf } from '../http/exchange.ts';
import type { Timing } from '../http/timing.ts';
import type { Outcome } from '../outcome.ts';
import type { RequestSender } from '../request/request-sender.ts';
import { operationInfo } from '../response/error-messages.ts';
import type { EsimTokens } from './esim-token.ts';

/**
 * Makes the calls of an account whose proof is the token for eSIMs (API §5). A call has `totalTimeout` milliseconds,
 * the request for a token included.
 */
export function withEsimToken(
  call: RequestSender,
  { tokens, totalTimeout, timing }: { tokens: EsimTokens; totalTimeout: number; timing: Timing },
): RequestSender {
  return async (operation, input, options) => {
    // What breaks a rule is refused before anything leaves, a request for a token too.
    if (!operation.input.safeParse(input).success) {
      return call(operation, input, options);
    }
    const { name } = operation;
    const repeatable = operationInfo[name].effect === 'read';
    const { signal, clear: lift } = startDeadline(totalTimeout, timing, options?.signal);
    const fail = (kind: FailureKind, facts: Omit<FailureFacts, 'operation'>) => ({
      kind,
      error: providerError(kind, { ...facts, operation: name }),
    });
    const attempt = async () => {
      const obtained = await raceWithSignal(repeatable ? tokens.get() : tokens.renew(), signal);
      if (obtained === undefined) {
        return { outcome: fail('not_sent', { reason: abortReasonOf(signal) }) };
      }
      if (obtained.kind !== 'accepted') {
        const { sent, retryable, message, ...facts } = obtained.error;
        // Refused or not, the call itself never left.
        const kind = obtained.kind === 'rejected' ? 'rejected' : 'not_sent';
        return {
          outcome: fail(kind, { ...facts, detail: [facts.detail, withoutToken].filter(Boolean).join(' ') }),
        };
      }
      const token = obtained.value;
      const request = (checked: Parameters<typeof operation.request>[0]) => ({
        ...operation.request(checked),
        token,
      });
      return { token, outcome: await call({ ...operation, request }, input, { signal }) };
    };
    try {
      const first = await attempt();
      if (first.token === undefined || !isTokenRefused(first.outcome)) {
        return first.outcome;
      }
      tokens.invalidate(first.token);
      // Once more, and only a read. Whatever creates or buys something went out with a token just obtained: that it is
      // refused as well means that the account may not do this.
      return repeatable ? (await attempt()).outcome : first.outcome;
    } finally {
      lift();
    }
  };
}

const withoutToken = 'This came of asking for the token that eSIMs need.';

function isTokenRefused(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'rejected') {
    return false;
  }
  const { status, providerCode } = outcome.error;
  return status === 401 || providerCode === '401';
}

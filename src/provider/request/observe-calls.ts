import { traced } from '../../lib/tracing/tracing.ts';
import type { Outcome, Reason } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { RequestSender } from './request-sender.ts';

/** Called with each call that ended: a name, and how. Holds nothing of the request. */
export type OnCall = (call: {
  readonly operation: OperationName;
  readonly outcome: Outcome<unknown>['kind'];
  readonly reason?: Reason | undefined;
  /** Milliseconds, with the wait for a connection and every attempt. */
  readonly took: number;
}) => void;

/** Returns a sender whose calls are observed, each a step of the trace. */
export function observeCalls(
  send: RequestSender,
  { onCall, elapsed }: { onCall: OnCall | undefined; elapsed: () => number },
): RequestSender {
  return (operation, input, options) => {
    const { name } = operation;
    const attributes = { 'provider.operation': name };
    return traced({ name: `provider ${name}`, kind: 'client', attributes }, async (step) => {
      const from = elapsed();
      const outcome = await send(operation, input, options);
      const reason = outcome.kind === 'accepted' ? undefined : outcome.error.reason;
      step.set({ 'provider.outcome': outcome.kind, 'provider.reason': reason });
      onCall?.({ operation: name, outcome: outcome.kind, reason, took: elapsed() - from });
      return outcome;
    });
  };
}

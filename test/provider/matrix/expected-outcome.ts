import type { FailureKind, Reason } from '../../../src/provider/errors.ts';
import type { Operation } from '../description/types.ts';
import type { Fault } from './faults.ts';

/** The part of an outcome that the matrix compares. */
export type ExpectedOutcome = {
  /** How often the request reached the provider. */
  readonly arrivals: number;
} & (
  | { readonly kind: 'accepted' }
  | {
      readonly kind: FailureKind;
      readonly reason: Reason;
      readonly status?: number;
      readonly sent: 'no' | 'maybe';
    }
);

const attempts = 3;

/** The required outcome of an operation with a fault, derived from rules. */
export function expectedOutcome(operation: Operation, fault: Fault): ExpectedOutcome {
  // Where the provider has no QR code, the client draws one from the eSIM's profile.
  if (operation.response === 'not shown' && fault.noData) {
    return { kind: 'accepted', arrivals: 1 };
  }
  const { reason, status } = fault;
  const kind = kindOf(operation, fault);
  return {
    kind,
    reason,
    ...(status !== undefined && { status }),
    sent: kind === 'unconfirmed' && !operation.idempotent ? 'maybe' : 'no',
    arrivals: 'onTheWay' in fault.injected ? 0 : arrivalsOf(operation, fault),
  };
}

function kindOf({ idempotent }: Operation, { proves }: Fault): FailureKind {
  switch (proves) {
    case 'it never left':
      return 'not_sent';
    case 'it was refused':
      return 'rejected';
    case 'refusal or receipt':
      return idempotent ? 'rejected' : 'unconfirmed';
    case 'nothing':
      return 'unconfirmed';
  }
}

/** Only an idempotent operation may arrive more than once. */
function arrivalsOf(
  { idempotent, request }: Operation,
  { transient: passes, unauthorized: unknownCaller }: Fault,
): number {
  if (!idempotent) {
    return 1;
  }
  if (passes) {
    return attempts;
  }
  // The token may have expired: a new one is obtained once.
  return unknownCaller && request.header ? 2 : 1;
}

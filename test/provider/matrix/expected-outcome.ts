import type { FailureKind, Reason } from '../../../src/provider/errors.ts';
import type { Operation } from '../description/types.ts';
import type { Fault } from './faults.ts';

/** How a call ends, as far as the matrix looks at it. */
export type End = {
  /** How often its request reached the provider, read there or not. */
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

/** How a call must end that meets a fault: a matter of rules, not of operations. */
export function expectedEnd(operation: Operation, fault: Fault): End {
  // Where the provider has no QR code to give, the client draws one from the eSIM's profile.
  if (operation.response === 'not shown' && fault.hasNothing) {
    return { kind: 'accepted', arrivals: 1 };
  }
  const { reason, status } = fault;
  const kind = kindOf(operation, fault);
  return {
    kind,
    reason,
    ...(status !== undefined && { status }),
    sent: kind === 'unconfirmed' && !operation.idempotent ? 'maybe' : 'no',
    arrivals: 'onTheWay' in fault.befalls ? 0 : arrivalsOf(operation, fault),
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

/** Only what does no harm when it arrives twice may arrive twice. */
function arrivalsOf({ idempotent, request }: Operation, { passes, unknownCaller }: Fault): number {
  if (!idempotent) {
    return 1;
  }
  if (passes) {
    return attempts;
  }
  // A token may have become void: once, a new one is obtained.
  return unknownCaller && request.header ? 2 : 1;
}

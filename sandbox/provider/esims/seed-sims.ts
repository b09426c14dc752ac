import { addMinutes } from '../../lib/lagos-time.ts';
import type { Sim } from '../state/state.ts';
import { newSim, smdp } from './new-sim.ts';
import { qrCodeShapes } from './qr.ts';

const day = 24 * 60;

/** The age of each plan in minutes: one new, one in use, one expired, one in use. */
const ages = [1, 25, 10 * day, 40];

/** Creates an account's first eSIMs: one for each shape of QR code, in that order, and one with a whole code. */
export function seedSims(firstSerial: number, now: Date): Sim[] {
  const sims = qrCodeShapes.map((_, shape) =>
    newSim({
      serial: firstSerial + shape,
      shape,
      productId: shape === 1 ? 'gb-1gb-7d' : 'ng-1gb-7d',
      at: addMinutes(now, -(ages[shape] ?? day)),
    }),
  );
  const withWholeCode = newSim({
    serial: firstSerial + sims.length,
    shape: 5,
    activationCode: `LPA:1$${smdp}$SB-WHOLE-${firstSerial}`,
    productId: 'europe-5gb-30d',
    at: addMinutes(now, -2 * day),
  });
  return [...sims, withWholeCode];
}

import { readReportedStatus } from '../../domain/deliveries/delivery-status.ts';
import { maskPersonal } from '../../lib/redact.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';
import type { Context } from '../context.ts';

/** Maximum words to log: a provider may send a different one with each message. */
const maxLogged = 100;

export type UnknownStatuses = ReturnType<typeof createUnknownStatuses>;

/** Counts delivery statuses that are in no table, and logs each word once. */
export function createUnknownStatuses({ metrics, log }: Pick<Context, 'metrics' | 'log'>) {
  const logged = new Set<string>();
  return {
    note(reports: readonly Pick<DeliveryReport, 'status'>[]): void {
      const unknown = reports
        .map(({ status }) => readReportedStatus(status))
        .filter(({ state }) => state === 'unknown');
      metrics.unknownStatus(unknown.length);
      for (const { words = '' } of unknown) {
        const status = maskPersonal(words);
        const word = status.toLowerCase();
        if (!logged.has(word) && logged.size < maxLogged) {
          logged.add(word);
          const count = `${logged.size} of at most ${maxLogged}`;
          log.warn({ status, count }, 'the provider reported a status that isn’t in the table');
        }
      }
    },
  };
}

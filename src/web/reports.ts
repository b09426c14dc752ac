import type { Metrics } from '../lib/metrics.ts';
import { type Reports, type ReportsOutcome, reportsPath } from '../services/reports/reports.ts';
import type { HttpRoute } from './server.ts';

/** A report has less than 2 kB; a body may have many. */
const maxBodyBytes = 64 * 1024;

const statuses: Readonly<Record<ReportsOutcome, number>> = {
  taken: 200,
  unknown_address: 404,
  unsigned: 401,
  wrong_signature: 401,
  malformed: 400,
  stale: 400,
};

/**
 * Takes delivery reports in. A report is stored durably before it is answered with 200; the provider repeats reports
 * with any other answer, as it sees fit.
 */
export function reportsRoute({
  services: { reports },
  metrics: { reports: count },
}: {
  services: { reports: Pick<Reports, 'receive' | 'header'> };
  metrics: Pick<Metrics, 'reports'>;
}): HttpRoute {
  return {
    method: 'POST',
    path: reportsPath,
    takesRest: true,
    maxBodyBytes,
    onOversized: () => count('oversized'),
    async handle(request, response, body, token) {
      let outcome: ReportsOutcome;
      const signature = request.headers[reports.header ?? ''];
      try {
        outcome = await reports.receive(token, {
          body,
          // Node joins most headers that come twice by a comma: then it is no signature.
          signature: typeof signature === 'string' && signature !== '' ? signature : undefined,
        });
      } catch (error) {
        count('failed');
        throw error;
      }
      count(outcome);
      response.writeHead(statuses[outcome]).end();
    },
  };
}

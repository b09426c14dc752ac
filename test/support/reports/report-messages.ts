import assert from 'node:assert/strict';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { makesReportAddress } from './report-address.ts';
import { postReport } from './signed-report.ts';

/** Makes the address of reports. Returns what has the provider report the newest message to a number, in digits. */
export async function startReports(app: TestWorkspace) {
  const address = await makesReportAddress(app);
  return async (number: string, status: string): Promise<void> => {
    const sent =
      app.provider.record.findLast(({ to }) => to.includes(number)) ?? assert.fail('nothing was sent');
    const report = { type: 'outbound', message_id: sent.id, receiver: number, status, channel: 'SMS' };
    assert.equal(await postReport(address, JSON.stringify(report), app.provider.account), 200);
  };
}

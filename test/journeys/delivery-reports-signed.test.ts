import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { makesReportAddress, opensReports } from '../support/reports/report-address.ts';
import {
  postReport,
  reportEnv,
  reportHeader,
  reportOf,
  signReport,
} from '../support/reports/signed-report.ts';
import { send } from '../support/slack/sms-steps.ts';

const env = reportEnv;

const to = '+2348051234500';

forOneAndThreeInstances(() => {
  describe('a delivery report', () => {
    it('is refused unless the address, the signature and its key are right, and each refusal is counted', async (test) => {
      const app = await startTestApp(test, { env, instances: 1 });
      const { ada, grace, provider, connect, url } = app;
      await connect();
      const { key } = provider.account;
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const body = reportOf(app);
      const spaced = JSON.stringify(JSON.parse(body), undefined, 1);
      assert.equal(await postReport(address, body, {}), 401);
      assert.equal(await postReport(address, body, { key: provider.otherAccount.key }), 401);
      assert.equal(await postReport(address, spaced, { signature: signReport(body, key) }), 401);
      assert.equal(await postReport(`${url()}/provider/reports/${'A'.repeat(43)}`, body, { key }), 404);
      assert.equal(await postReport(`${url()}/provider/reports/`, body, { key }), 404);
      assert.equal(await postReport(address, '{', { key }), 400);
      assert.equal(
        await postReport(address, reportOf(app, { sent_at: '2021-03-09 10:21:47' }), { key }),
        400,
      );
      assert.equal(await postReport(address, 'x'.repeat(65 * 1024), { key }), 413);
      const inbound = reportOf(app, { type: 'inbound', status: 'Received' });
      assert.equal(await postReport(address, inbound, { key }), 200);
      const metrics = await (await fetch(`${url()}/metrics`)).text();
      const counted = [...metrics.matchAll(/delivery_reports_total\{outcome="(\w+)"\} (\d+)/g)];
      assert.deepEqual(Object.fromEntries(counted.map(([, outcome, count]) => [outcome, Number(count)])), {
        unsigned: 1,
        wrong_signature: 2,
        unknown_address: 2,
        malformed: 1,
        stale: 1,
        oversized: 1,
        taken: 1,
      });

      await opensReports(grace);
      await grace.presses('Replace webhook URL');
      await grace.seesModal('Delivery reports', 'Created. Enter it');
      assert.equal(await postReport(address, body, { key }), 404);
    });

    it('is taken at once by the key that takes the place of another', async (test) => {
      const app = await startTestApp(test, { env, instances: 1 });
      const { ada, provider, connect } = app;
      const { key } = provider.account;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const body = reportOf(app);
      assert.equal(await postReport(address, body, { key }), 200);
      const other = provider.otherAccount.key;
      await connect(other);
      assert.equal(await postReport(address, body, { key: other }), 200);
      assert.equal(await postReport(address, body, { key }), 401);
    });

    it('is signed with a secret of its own where the provider has one', async (test) => {
      const secretEnv = profileEnv({
        reportSignature: { header: reportHeader, key: 'secret', hash: 'sha256' },
      });
      const app = await joinTestApp(test, { env: secretEnv });
      const { ada, grace, connect, provider } = app;
      await connect();
      const address = await makesReportAddress(app);
      await send(ada, { to });
      await ada.seesModal('Message sent');
      const body = reportOf(app);
      const { createHmac } = await import('node:crypto');
      const signature = createHmac('sha256', 'tsk_aVerySecretSecret').update(body).digest('hex');
      assert.equal(await postReport(address, body, { signature }), 401);
      assert.match(await opensReports(grace), /missing. Reports aren’t accepted until it is entered/);
      await grace.presses('Enter the secret');
      await grace.seesModal('Signing secret');
      await grace.fills('Signing secret', 'short');
      await grace.submits();
      await grace.seesTrouble('doesn’t look like a secret');
      await grace.fills('Signing secret', 'tsk_aVerySecretSecret');
      await grace.submits();
      await grace.seesModal('Delivery reports', 'Saved');
      assert.equal(await postReport(address, body, { signature }), 200);
      assert.equal(await postReport(address, body, { key: provider.account.key }), 401);
      assert.ok(!app.log().includes('tsk_aVerySecretSecret'));
    });

    it('is taken nowhere unless the people who run the program switch that on', async (test) => {
      const app = await joinTestApp(test);
      const { grace, provider, connect, url } = app;
      await connect();
      await grace.types('/switchboard');
      const { view } = await grace.seesModal('Switchboard', /Delivery reports\*: off/);
      assert.doesNotMatch(JSON.stringify(view), /"Reports"/);
      const address = `${url()}/provider/reports/${'A'.repeat(43)}`;
      assert.equal(await postReport(address, '{}', { key: provider.account.key }), 404);
    });
  });
});

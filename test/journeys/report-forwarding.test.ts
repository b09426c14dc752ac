import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'undici';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { startForwardTarget } from '../support/reports/forward-target.ts';
import { makesReportAddress, opensReports } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportHeader, signReport } from '../support/reports/signed-report.ts';

const env = {
  ...reportEnv,
  REPORT_FORWARD_HOSTS: '127.0.0.1, .example.com',
};
const header = reportHeader.toLowerCase();

const bodyOf = (id: string) =>
  JSON.stringify({
    message_id: id,
    receiver: '2348051234567',
    sender: 'PalmMarket',
    message: 'Hello',
    sent_at: new Date().toISOString().slice(0, 19),
    status: 'DELIVERED',
  });

async function passesOnTo({ grace }: TestApp, url: string, button = 'Pass reports on'): Promise<void> {
  await opensReports(grace);
  await grace.presses(button);
  await grace.seesModal('Forwarding address');
  await grace.fills('Address', url);
  await grace.submits();
  await grace.seesModal('Delivery reports', 'Reports are passed on from now on');
  await grace.closes();
  await grace.closes();
}

describe('passing reports on', () => {
  it('gives another system each request as it came, and says so to admins', async (test) => {
    const app = await startTestApp(test, { env });
    await app.connect();
    const { grace, provider } = app;
    const { key } = provider.account;
    const target = await startForwardTarget(test);
    const address = await makesReportAddress(app);
    await passesOnTo(app, target.url);
    // Odd, with a name twice: written again it would be another body.
    const body = `{ "message_id" : "1", "receiver":"2348051234567","status":"Sent",\r\n "status":"DELIVERED", "é":1.0 }`;
    const signature = signReport(body, key);
    const answer = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json;  charset=UTF-8', [reportHeader]: signature },
      body,
    });
    await answer.body.dump();
    assert.equal(answer.statusCode, 200);
    await target.has(1);
    const [passed] = target.taken;
    assert.deepEqual(
      [passed?.method, passed?.path, passed?.body.toString('utf8'), passed?.headers[header]],
      ['POST', '/hook?of=reports', body, signature],
    );
    assert.equal(passed?.headers['content-type'], 'application/json;  charset=UTF-8');
    // What is not of a message is for the other system too.
    const device = '{"type":"device","status":"offline"}';
    assert.equal(await postReport(address, device, { key }), 200);
    await target.has(2);
    assert.equal(String(target.taken[1]?.body), device);

    // So is what cannot be read here, alone or beside what can be.
    const unknown = '{"events":[1]}';
    assert.equal(await postReport(address, unknown, { key }), 400);
    const mixed = `[{}, ${bodyOf('2')}, ${bodyOf('3').replace('202', '201')}]`;
    assert.equal(await postReport(address, mixed, { key }), 200);
    await target.has(4);
    const others = target.taken.slice(2).map((request) => String(request.body));
    assert.deepEqual(others.sort(), [unknown, mixed].sort());

    const shown = await opensReports(grace);
    assert.match(shown, /Passed on\* to 127\.0\.0\.1/);
    assert.doesNotMatch(shown, /of=reports/);
    await grace.presses('Stop passing on');
    await grace.seesModal('Delivery reports', 'Reports are not passed on any more');
    assert.equal(await postReport(address, bodyOf('3'), { key }), 200);
    assert.equal((await app.app().services.forwarding.find('T0SWITCH'))?.waiting, undefined);
    assert.equal(target.taken.length, 4);
    assert.ok(!app.log().includes('of=reports'));
  });

  it('passes on only what is rightly signed, and nothing that was passed on before', async (test) => {
    const app = await startTestApp(test, { env });
    await app.connect();
    const { key } = app.provider.account;
    const silent = await startForwardTarget(test, () => undefined);
    const address = await makesReportAddress(app);
    await passesOnTo(app, silent.url);
    const waiting = async () => (await app.app().services.forwarding.find('T0SWITCH'))?.waiting;
    assert.equal(await postReport(address, bodyOf('1'), {}), 401);
    assert.equal(await postReport(address, bodyOf('1'), { key: app.provider.otherAccount.key }), 401);
    assert.equal(await postReport(address, bodyOf('1').replace('202', '201'), { key }), 400);
    assert.equal(await waiting(), 0);
    assert.equal(await postReport(address, bodyOf('1'), { key }), 200);
    assert.equal(await waiting(), 1);
    await silent.has(1);
    const [passed] = silent.taken;
    assert.equal(passed?.headers['x-switchboard-forwarded'], '1');
    // As where an address leads back here.
    const headers = { ...passed?.headers, host: new URL(address).host };
    const again = await request(address, { method: 'POST', headers, body: passed?.body ?? '' });
    await again.body.dump();
    assert.equal(again.statusCode, 200);
    assert.equal(await waiting(), 1);
  });

  it('never holds up the answer, and survives a restart: what an address did not take goes to the next', async (test) => {
    const app = await startTestApp(test, { env });
    await app.connect();
    const { grace } = app;
    const { key } = app.provider.account;
    const dead = await startForwardTarget(test, () => undefined);
    const address = await makesReportAddress(app);
    await passesOnTo(app, dead.url);
    const ids = ['1', '2', '3'];
    for (const id of ids) {
      assert.equal(await postReport(address, bodyOf(id), { key }), 200);
    }
    await dead.has(1);
    await app.restart();
    assert.match(await opensReports(grace), /\*Waiting\*\\n3/);
    await grace.closes();
    await grace.closes();
    const target = await startForwardTarget(test);
    await passesOnTo(app, target.url, 'Change the address');
    await target.has(3);
    const passed = target.taken.map(({ body }) => /"message_id":"(\d)"/.exec(String(body))?.[1]);
    assert.deepEqual([...new Set(passed)].sort(), ids);
  });

  it('goes only where the people who run the program allow, and never into a private network', async (test) => {
    const app = await startTestApp(test, { env });
    await app.connect();
    const { grace } = app;
    await makesReportAddress(app);
    await opensReports(grace);
    await grace.presses('Pass reports on');
    await grace.seesModal('Forwarding address');
    for (const [typed, problem] of [
      ['http://hooks.example.com/', 'begins with https'],
      ['https://hooks.example.org/', 'have not allowed this host'],
      ['https://10.0.0.7/', 'private network'],
      ['https://[fd00::1]/', 'private network'],
      ['https://user:pass@hooks.example.com/', 'cannot have a user name'],
      ['not an address', 'does not look like an address'],
    ] as const) {
      await grace.fills('Address', typed);
      await grace.submits();
      await grace.seesTrouble(problem);
    }
    await grace.fills('Address', 'https://hooks.example.com/x');
    await grace.submits();
    await grace.seesModal('Delivery reports', 'hooks.example.com');
  });

  it('is off, and says so, unless the installation names hosts', async (test) => {
    const app = await startTestApp(test, { env: reportEnv });
    await app.connect();
    await makesReportAddress(app);
    assert.match(await opensReports(app.grace), /Passing reports on to another address is off/);
  });
});

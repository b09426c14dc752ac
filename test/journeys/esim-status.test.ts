import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import { arrivalsOf, createEsim, scanFile } from '../support/slack/esim-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

const day = 24 * 60 * 60_000;

/** Returns an eSIM of the sandbox account: 0 is a minute old, 1 is in use, 2 has expired. */
function sim({ provider }: TestWorkspace, index: number) {
  return provider.account.sims[index] ?? assert.fail(`no eSIM ${index}`);
}

function codeOf({ smdp, activationCode }: ReturnType<typeof sim>): string {
  return `LPA:1$${smdp}$${activationCode}`;
}

async function showStatus({ ada }: TestWorkspace, iccid: string): Promise<string> {
  while (ada.modal() !== undefined) {
    await ada.closes();
  }
  await ada.types('/esim-status', iccid);
  return wordsOf((await ada.seesModal('eSIM status', 'As of')).view);
}

describe('/esim-status', () => {
  it('shows plan, data and profile of an ICCID pasted with spaces, and refreshes them', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock });
    const { ada, connect } = testApp;
    await connect();
    const { iccid, imsi } = sim(testApp, 1);
    const shown = await showStatus(testApp, ` ${iccid.slice(0, 4)} ${iccid.slice(4, 8)}-${iccid.slice(8)} `);
    assert.match(shown, /\*Plan\* United Kingdom 1 GB, 7 days · :white_check_mark: active/);
    assert.match(shown, /\*Activated\*\n<!date\^\d+\^/);
    assert.match(shown, /\*Expires\*\n<!date\^\d+\^/);
    assert.match(shown, /█{8}░{12}\n4\d% used · 0\.4\d* GB of 1 GB · 0\.[56]\d* GB left/);
    assert.ok(shown.includes(`*State*\n\`RELEASED\``) && shown.includes(imsi) && shown.includes(iccid));
    assert.ok(!shown.includes(sim(testApp, 1).activationCode) && !shown.includes('check digit'));
    pass(10 * 60_000);
    await ada.presses('Refresh');
    await ada.seesModal('eSIM status', /6\d% used/);
  });

  it('sends the QR image to the user alone, and a phone reads the right code from it', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, connect, grace } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages with Switchboard');
    assert.equal(await scanFile(testApp), codeOf(sim(testApp, 0)));
    const others = slack.snapshot(grace.id).messages;
    assert.ok(!others.some(({ files }) => files?.length));
    await ada.sees(`QR image of the eSIM ${iccid}`);
  });

  it('lets the user pick an eSIM by some of its digits, or enter an ICCID', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    const { iccid } = sim(testApp, 4);
    await ada.types('/esim-status');
    await ada.seesModal('eSIM status');
    assert.ok((await ada.searches('Pick an eSIM', iccid.slice(-6))).includes(iccid));
    assert.deepEqual(await ada.searches('Pick an eSIM', 'gb-1gb'), [sim(testApp, 1).iccid]);
    await ada.submits();
    assert.match(ada.errorBeside('Or enter an ICCID') ?? '', /Pick an eSIM, or enter an ICCID/);
    await ada.fills('Or enter an ICCID', '8923 4900');
    await ada.submits();
    assert.match(ada.errorBeside('Or enter an ICCID') ?? '', /18 to 22 digits; this has 8/);
    await ada.fills('Or enter an ICCID', '');
    await ada.fills('Pick an eSIM', iccid);
    await ada.submits();
    await ada.seesModal('eSIM status', iccid);
  });

  it('says what is wrong with an invalid ICCID, and keeps it for correction', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim-status', '12 34');
    const picker = wordsOf((await ada.seesModal('eSIM status', 'An ICCID begins with 89.')).view);
    assert.ok(picker.includes('12 34'));
  });

  it('reads an ICCID with the filler of a SIM’s memory, as typed and as the provider lists it', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const { iccid } = sim(testApp, 1);
    const shown = await showStatus(testApp, `${iccid}F`);
    assert.match(shown, /\*Plan\* United Kingdom 1 GB/);
    assert.doesNotMatch(shown, /last digit doesn’t match/);

    const other = sim(testApp, 4).iccid;
    provider.orderFault({
      operation: 'esims.list',
      fault: {
        kind: 'reshape',
        body: (answer) => JSON.parse(JSON.stringify(answer).replaceAll(other, `${other}F`)),
      },
    });
    await ada.types('/esim-status');
    await ada.seesModal('eSIM status');
    assert.deepEqual(await ada.searches('Pick an eSIM', other), [`${other}F`]);
    await ada.fills('Pick an eSIM', `${other}F`);
    await ada.submits();
    // The sandbox knows it without the filler only.
    await ada.seesModal('eSIM status', /No plan, data usage, or profile/);
  });

  it('warns of a wrong check digit, and still asks the provider', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim-status', '8923490000000410103');
    const shown = wordsOf((await ada.seesModal('eSIM status', /last digit doesn’t match/)).view);
    assert.match(shown, /No plan, data usage, or profile/);
  });

  it('shows the other parts when one is unavailable', async (test) => {
    const testApp = await joinTestApp(test);
    const { provider, connect } = testApp;
    await connect();
    const parts = [
      {
        operation: 'esims.usage',
        missing: /No data usage/,
        there: [/\*Plan\*/, /\*Profile\*/],
      },
      { operation: 'esims.planStatus', missing: /No plan/, there: [/% used/, /\*Profile\*/] },
      { operation: 'esims.profile', missing: /No profile/, there: [/\*Plan\*/, /% used/] },
    ] as const;
    for (const { operation, missing, there } of parts) {
      const fault = provider.orderFault({
        operation,
        fault: { kind: 'status', status: 404 },
        times: Infinity,
      });
      const shown = await showStatus(testApp, sim(testApp, 1).iccid);
      assert.match(shown, missing);
      for (const words of there) {
        assert.match(shown, words);
      }
      fault.cancel();
    }
  });

  it('says that the provider didn’t answer, and not that the eSIM has no plan, where it is down', async (test) => {
    const testApp = await startTestApp(test, { providerLimits: { totalTimeout: 1_000 } });
    const { provider, connect } = testApp;
    await connect();
    const { iccid } = sim(testApp, 1);
    provider.orderFault({
      operation: 'esims.usage',
      fault: { kind: 'status', status: 503 },
      times: Infinity,
    });
    assert.match(
      await showStatus(testApp, iccid),
      /\*Plan\*[\s\S]*\*Profile\*[\s\S]*\*The provider didn’t answer: data usage unknown\.\* The provider had an error/,
    );
    await provider.goDown();
    const down = await showStatus(testApp, iccid);
    assert.match(
      down,
      /\*The provider didn’t answer: plan, data usage, and profile unknown\.\* The provider could not be reached/,
    );
    assert.doesNotMatch(down, /\bNo (?:plan|data usage|profile)/);
  });

  it('warns three days before a plan expires, and after it has', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock });
    await testApp.connect();
    const { iccid } = sim(testApp, 1);
    assert.doesNotMatch(await showStatus(testApp, iccid), /:warning:/);
    pass(4 * day);
    assert.match(await showStatus(testApp, iccid), /The plan expires <!date\^\d+[^>]*>\.\* Top up in time/);
    pass(4 * day);
    const expired = await showStatus(testApp, iccid);
    assert.match(expired, /:no_entry: expired, not usable/);
    assert.match(expired, /The plan expired <!date\^\d+[^>]*>\.\* Top up to use/);
  });

  it('warns three days before the activation deadline of a plan, and after it', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock });
    const { provider, connect } = testApp;
    await connect();
    const { iccid } = sim(testApp, 0);
    const window = new Date(Date.now() + 10 * day + 60 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const data = { iccid, Status: 'NOT_ACTIVE', windowActivationEndDate: window, expiryDate: null };
    provider.orderFault({
      operation: 'esims.planStatus',
      fault: { kind: 'answer', body: { status: 'Success', code: 200, data } },
      times: Infinity,
    });
    const first = await showStatus(testApp, iccid);
    assert.match(first, /not activated yet/);
    assert.doesNotMatch(first, /:warning:/);
    pass(8 * day);
    assert.match(await showStatus(testApp, iccid), /\*Activate by <!date/);
    pass(3 * day);
    assert.match(await showStatus(testApp, iccid), /\*Not activated by <!date/);
  });

  it('renders the QR image whatever the provider returns', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    for (const shape of [1, 3, 5, 8, 9]) {
      await showStatus(testApp, sim(testApp, shape).iccid);
      await ada.presses('Get QR image');
      await ada.seesModal('QR image', 'in your messages');
      assert.equal(await scanFile(testApp), codeOf(sim(testApp, shape)));
      await ada.closes();
      await ada.closes();
    }
  });

  it('sends the QR image once on a double click, and says why when it is unavailable', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, provider, connect } = testApp;
    await connect();
    await showStatus(testApp, sim(testApp, 0).iccid);
    await Promise.all([ada.presses('Get QR image'), ada.presses('Get QR image')]);
    await ada.seesModal('QR image', 'in your messages');
    await slack.redeliver('block_actions');
    assert.equal(ada.messages().filter(({ files }) => files?.length).length, 1);
    await ada.types('/esim-status', sim(testApp, 1).iccid);
    await ada.seesModal('eSIM status', 'As of');
    provider.orderFault({
      operation: 'esims.qrCode',
      fault: { kind: 'status', status: 403 },
      times: Infinity,
    });
    await ada.presses('Get QR image');
    await ada.seesModal('Error', 'The provider does not allow this.');
    assert.equal(ada.messages().filter(({ files }) => files?.length).length, 1);
  });

  it('shares the QR image in a channel only after the warning, once, with the name of the user', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, connect, channels } = testApp;
    await connect();
    const { iccid } = sim(testApp, 0);
    await showStatus(testApp, iccid);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages');
    const inSupport = () => ada.messages().filter(({ channel }) => channel === channels.support);
    assert.deepEqual(inSupport(), []);
    await ada.presses('Share in a channel…');
    await ada.seesModal('QR image in a channel', 'Anyone in the channel can install the eSIM');
    assert.deepEqual(inSupport(), []);
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('QR image', `<#${channels.support}>`);
    await slack.redeliver('view_submission');
    assert.equal(await scanFile(testApp, channels.support), codeOf(sim(testApp, 0)));
    assert.equal(inSupport().length, 1);
    const words = JSON.stringify(inSupport());
    assert.match(words, /<@U0AGENT\w*>[\s\S]*Only the intended person should scan this/);
    assert.ok(!words.includes(iccid) && !words.includes(sim(testApp, 0).activationCode));
  });

  it('says what to do when the QR image cannot be posted to the channel', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect, channels } = testApp;
    await connect();
    await showStatus(testApp, sim(testApp, 0).iccid);
    await ada.presses('Get QR image');
    await ada.presses('Share in a channel…');
    await ada.fills('Channel', channels.campaigns);
    await ada.submits();
    await ada.seesTrouble(/Not posted: Switchboard isn’t in[\s\S]*\/invite/);
  });

  it('shows install details in a modal and nowhere else', async (test) => {
    const dataDir = temporaryFolder(test);
    const testApp = await startTestApp(test, { dataDir });
    const { ada, slack, connect, log } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    const { activationCode, smdp } = sim(testApp, 0);
    await ada.presses('Show install details');
    const shown = wordsOf((await ada.seesModal('Install details', 'Activation code')).view);
    assert.ok(shown.includes(`*SM-DP+ address*\n\`${smdp}\``));
    assert.ok(shown.includes(`*Activation code*\n\`${activationCode}\``));
    assert.ok(shown.includes(`\`${codeOf(sim(testApp, 0))}\``));
    assert.ok(!shown.includes('Confirmation code'));
    assert.equal(arrivalsOf(testApp, 'esims.qrCode'), 0);
    await ada.sees(/eSIM .*created/);
    const allMessages = ['U0AGENT', 'U0ADMIN', 'U0GUEST'].map((id) => slack.snapshot(id).messages);
    assert.ok(!JSON.stringify([allMessages, log()]).includes(activationCode));
    assert.ok(!log().includes(iccid));
    for (const { path, bytes } of readDataFiles(dataDir)) {
      assert.ok(!bytes.includes(activationCode), `${path} holds the activation code`);
      assert.ok(!bytes.includes(iccid), `${path} holds the ICCID`);
    }
  });

  it('shows install details from a complete activation code, and from the answer when the profile has none', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const whole = sim(testApp, 10);
    assert.match(whole.activationCode, /^LPA:1\$/);
    await showStatus(testApp, whole.iccid);
    await ada.presses('Show install details');
    await ada.seesModal('Install details', `*Activation code*\n\`${whole.activationCode.split('$')[2]}\``);
    provider.orderFault({
      operation: 'esims.profile',
      fault: { kind: 'status', status: 404 },
      times: Infinity,
    });
    await ada.types('/esim-status', sim(testApp, 5).iccid);
    await ada.seesModal('eSIM status', 'As of');
    await ada.presses('Show install details');
    await ada.seesModal('Install details', codeOf(sim(testApp, 5)));
  });

  it('draws and shows the code of an install link, and the link itself', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const code = 'LPA:1$rsp.elsewhere.example$K2-9F3X7';
    const install = `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${encodeURIComponent(code)}`;
    const { iccid } = sim(testApp, 8);
    const gives = (activationCode: string) =>
      provider.orderFault({
        operation: 'esims.profile',
        fault: { kind: 'reshape', body: (profile) => ({ ...Object(profile), activationCode }) },
        times: Infinity,
      });
    const withCode = gives(install);
    await showStatus(testApp, iccid);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages');
    assert.equal(await scanFile(testApp), code);
    await ada.presses('Show install details');
    const shown = wordsOf((await ada.seesModal('Install details', 'SM-DP+')).view);
    assert.ok(shown.includes(install));
    assert.match(shown, /SM-DP\+ address\*\n`rsp\.elsewhere\.example`\n[\s\S]*Activation code\*\n`K2-9F3X7`/);

    withCode.cancel();
    gives('https://install.example/K2-9F3X7');
    await showStatus(testApp, iccid);
    await ada.presses('Show install details');
    const link = wordsOf((await ada.seesModal('Install details', 'https://install.example/K2-9F3X7')).view);
    assert.doesNotMatch(link, /SM-DP\+|LPA:/);
  });

  it('passes on the provider’s image where there is no activation code, and says that it was not checked', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect, channels } = testApp;
    await connect();
    provider.orderFault({
      operation: 'esims.profile',
      fault: { kind: 'status', status: 404 },
      times: Infinity,
    });
    await showStatus(testApp, sim(testApp, 1).iccid);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'Image from the provider, not checked');
    await ada.sees('Image from the provider, not checked');
    assert.equal(await scanFile(testApp), codeOf(sim(testApp, 1)));
    await ada.presses('Share in a channel…');
    await ada.seesModal('QR image in a channel');
    await ada.submits();
    await ada.seesModal('QR image', `<#${channels.support}>`);
    const shared = ada.messages().find(({ channel }) => channel === channels.support);
    assert.match(JSON.stringify(shared), /Image from the provider, not checked/);
    await ada.types('/esim-status', sim(testApp, 1).iccid);
    await ada.seesModal('eSIM status', 'As of');
    await ada.presses('Show install details');
    await ada.seesModal('Error', 'The provider gave no activation code for this eSIM, only an image.');
  });

  it('says when the phone will ask for a confirmation code', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    provider.orderFault({
      operation: 'esims.profile',
      fault: { kind: 'reshape', body: (profile) => ({ ...Object(profile), cc_required: true }) },
      times: Infinity,
    });
    await showStatus(testApp, sim(testApp, 0).iccid);
    await ada.presses('Show install details');
    await ada.seesModal('Install details', '*Confirmation code*');
    await ada.seesModal('Install details', `\`${codeOf(sim(testApp, 0))}$$1\``);
  });

  it('tops up from the status and leads back to it, within three modals', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, slack, connect } = testApp;
    await connect();
    const { iccid } = sim(testApp, 2);
    await ada.types('/esim', 'list');
    await ada.seesModal('eSIMs', iccid);
    await ada.types('/esim-status', iccid);
    await ada.seesModal('eSIM status', ':no_entry: expired');
    for (const round of [1, 2, 3]) {
      await ada.presses('Top up');
      await ada.seesModal('Top-up plans', iccid);
      await ada.fills('Country', 'Nigeria');
      await ada.seesModal('Top-up plans', '4 total');
      await ada.presses('Top up');
      await ada.seesModal('eSIM top-up', iccid);
      await ada.submits();
      await ada.seesModal('eSIM topped up', /INACTIVE/);
      assert.equal(arrivalsOf(testApp, 'esims.purchase'), round);
      await ada.presses('Show status');
      await ada.seesModal('eSIM status', 'not activated yet');
    }
    assert.equal(slack.snapshot(ada.id).modals.length, 3);
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages');
    assert.equal(provider.account.balance, 25_000 - 3 * 1_800);
    await ada.presses('Show install details');
    await ada.seesModal('Install details');
  });

  it('opens the eSIM from the message about its order, also after a restart', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, connect, restart } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await ada.closes();
    await ada.closes();
    await ada.sees(/eSIM .*created/);
    await restart();
    await ada.presses('Show status');
    await ada.seesModal('eSIM status', iccid);
    await ada.closes();
    await ada.presses('Get QR image');
    await ada.seesModal('QR image', 'in your messages');
    assert.equal(await scanFile(testApp), codeOf(sim(testApp, 0)));
  });

  it('acknowledges every command at once and opens its modal, however slow the provider is', async (test) => {
    const testApp = await startTestApp(test, { slowness: 10_000 });
    const { ada, provider, connect } = testApp;
    await connect();
    provider.orderFault({ fault: { kind: 'slow_headers' }, times: Infinity });
    const { iccid } = sim(testApp, 0);
    for (const [command, text, title] of [
      ['/esim', '', 'eSIM plans'],
      ['/esim', 'list', 'eSIMs'],
      ['/esim', 'countries', 'Countries with plans'],
      ['/esim-status', iccid, 'eSIM status'],
      ['/esim-status', '', 'eSIM status'],
    ] as const) {
      const { status, trouble } = await ada.types(command, text);
      assert.deepEqual({ status, trouble }, { status: 200, trouble: undefined });
      await ada.seesModal(title, text === '' && command === '/esim-status' ? '' : 'Asking the provider');
    }
    assert.deepEqual(await ada.searches('Pick an eSIM', iccid), [iccid]);
    await provider.goDown();
  });
});

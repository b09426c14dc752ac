import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type Json } from '../../sandbox/lib/json.ts';
import type { ProviderOperationName } from '../../sandbox/provider/operation-names.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { send } from '../support/slack/sms-steps.ts';

/** Breaks the first entry of a list: bare, in an envelope, or of eSIMs or contacts. */
function breakFirst(answer: Json): Json {
  if (Array.isArray(answer)) {
    return [null, ...answer.slice(1)];
  }
  assert.ok(isJsonObject(answer));
  const { content, data, ...rest } = answer;
  return content === undefined
    ? { ...rest, data: breakFirst(data ?? null) }
    : { ...rest, content: breakFirst(content) };
}

/** Makes every entry of a list of eSIMs or contacts unreadable. */
function onlyBroken(answer: Json): Json {
  assert.ok(isJsonObject(answer));
  return answer.content === undefined
    ? { ...answer, data: onlyBroken(answer.data ?? null) }
    : { ...answer, content: [null] };
}

/** Changes the envelope of a list of contacts that fits on one page. */
function withData(answer: Json, change: Record<string, Json>): Json {
  assert.ok(isJsonObject(answer) && isJsonObject(answer.data));
  const { totalPages: _, totalElements: __, ...data } = answer.data;
  return { ...answer, data: { ...data, ...change } };
}

describe('One entry of the provider that cannot be read', () => {
  const env = profileEnv({ historyPath: '/api/sms/inbox' });
  const leftOut = '1 entry can’t be read and isn’t shown';

  async function join(test: Parameters<typeof joinTestApp>[0]) {
    const testApp = await joinTestApp(test, { env });
    const breaks = (operation: ProviderOperationName) =>
      testApp.provider.orderFault({ operation, fault: { kind: 'reshape', body: breakFirst } });
    return { ...testApp, breaks };
  }

  it('hides no other sender ID', async (test) => {
    const { ada, connect, breaks } = await join(test);
    await connect();
    breaks('senderIds.list');
    await ada.types('/sender-id');
    await ada.seesModal('Sender IDs', new RegExp(`PalmMarket[\\s\\S]*${leftOut}`));
  });

  it('hides no other eSIM, plan or country', async (test) => {
    const { ada, connect, provider, breaks } = await join(test);
    await connect();
    breaks('esims.plans');
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', new RegExp(`7 days[\\s\\S]*${leftOut}`));
    breaks('esims.list');
    await ada.presses('See all eSIMs');
    await ada.seesModal('eSIMs', new RegExp(`${provider.account.sims[1]?.iccid}[\\s\\S]*${leftOut}`));
    breaks('esims.countries');
    await ada.types('/esim', 'countries');
    await ada.seesModal('Countries with plans', new RegExp(`${leftOut}[\\s\\S]*Kenya`));
  });

  it('hides no other contact, and a campaign to them counts it', async (test) => {
    const testApp = await join(test);
    const { ada, breaks } = testApp;
    await addPhonebook(testApp);
    breaks('phonebooks.contacts');
    await ada.types('/contacts');
    await ada.seesModal('Contacts', new RegExp(`${leftOut}[\\s\\S]*803 111 0101`));
    breaks('phonebooks.contacts');
    await ada.fills('Search contacts', '0803 111 0105');
    await ada.seesModal('Contacts', `1 found in 17 contacts · ${leftOut}`);
    // A page without readable entries isn't the last.
    let whole: Json = null;
    const pages = [
      (answer: Json) => {
        whole = answer;
        return withData(answer, { content: [null], number: 0, last: false });
      },
      () => withData(whole, { number: 1, last: true }),
    ];
    for (const body of pages) {
      testApp.provider.orderFault({ operation: 'phonebooks.contacts', fault: { kind: 'reshape', body } });
    }
    await ada.fills('Search contacts', '0803 111 0106');
    await ada.seesModal('Contacts', `1 found in 18 contacts · ${leftOut}`);
    // A repeated page isn't counted twice.
    const repeats = testApp.provider.orderFault({
      operation: 'phonebooks.contacts',
      fault: {
        kind: 'reshape',
        body: (answer) => withData(breakFirst(answer), { number: 0, last: false }),
      },
      times: Number.POSITIVE_INFINITY,
    });
    await ada.fills('Search contacts', '0803 111 0107');
    await ada.seesModal('Contacts', `1 found in 17 contacts · ${leftOut}`);
    repeats.cancel();
    await ada.presses('Send to the whole phonebook');
    await ada.seesModal('New campaign', 'Loyal customers');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Message', 'Hello');
    breaks('phonebooks.contacts');
    breaks('phonebooks.contacts');
    await ada.submits();
    await ada.seesModal('Campaign review', '*1 row skipped*');
  });

  it('hides nothing else of what became of a message', async (test) => {
    const { ada, connect, provider } = await join(test);
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await ada.seesHome('See all activity');
    await ada.presses('See all activity');
    await ada.seesModal('History');
    await ada.presses('Open');
    provider.orderFault({
      operation: 'beyond.history',
      fault: { kind: 'reshape', body: (answer) => [null, answer].flat() },
    });
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', new RegExp(`The provider says[\\s\\S]*${leftOut}`));
  });

  it('is counted by Slackbot, and makes no list empty', async (test) => {
    const testApp = await join(test);
    const { ada, slack, provider, breaks } = testApp;
    await addPhonebook(testApp);
    for (const [tool, operation, shown] of [
      ['sender_ids', 'senderIds.list', 'PalmMarket'],
      ['esim_plans', 'esims.plans', '7 days'],
    ] as const) {
      breaks(operation);
      const { text } = await asksSlackbot(slack, ada, tool, {});
      assert.match(text, new RegExp(`${shown}[\\s\\S]*${leftOut}`));
    }
    for (const [tool, operation] of [
      ['sender_ids', 'senderIds.list'],
      ['esim_plans', 'esims.plans'],
    ] as const) {
      provider.orderFault({ operation, fault: { kind: 'reshape', body: onlyBroken } });
      const { text } = await asksSlackbot(slack, ada, tool, {});
      assert.ok(text.includes(leftOut), text);
      assert.doesNotMatch(text, /No (sender IDs|plans)/);
    }
    for (const [operation, command, words] of [
      ['esims.list', '/esim', 'No eSIM can be shown.'],
      ['phonebooks.contacts', '/contacts', 'No contact can be shown.'],
    ] as const) {
      const fault = { kind: 'reshape', body: onlyBroken } as const;
      provider.orderFault({ operation, fault });
      await ada.types(command);
      if (command === '/esim') {
        await ada.presses('See all eSIMs');
      }
      await ada.seesModal(/eSIMs|Contacts/, words);
      await ada.closes();
    }
  });
});

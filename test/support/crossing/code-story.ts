import assert from 'node:assert/strict';
import type { Cast, Story } from './cast.ts';
import { addressOf, numberOf, type Tenant } from './tenants.ts';

/** A way to send a code that is verified in Slack. */
interface Way {
  name: string;
  /** What the form says of it. */
  hint: string;
  label: string;
  recipient: string;
  path: string;
}

const waysOf = (tenant: Tenant): Way[] => [
  {
    ...{ name: 'SMS', hint: tenant.word, path: '/api/sms/send' },
    ...{ label: 'Phone number', recipient: numberOf(tenant, 4) },
  },
  {
    ...{ name: 'Voice call', hint: 'A call reads the code out', path: '/api/sms/otp/call' },
    ...{ label: 'Phone number', recipient: numberOf(tenant, 8) },
  },
  {
    ...{ name: 'Email', hint: 'Email address', path: '/api/email/otp/send' },
    ...{ label: 'Email address', recipient: addressOf(tenant) },
  },
];

/** Sends a code each way, and verifies it: that of an SMS at first with a wrong one. */
export const codeStory: Story = async (cast) => {
  const { agent, tenant } = cast;
  for (const way of waysOf(tenant)) {
    await agent.types('/otp');
    await agent.seesModal('One-time code');
    await agent.fills('Send by', way.name);
    await agent.seesModal('One-time code', way.hint);
    await agent.fills(way.label, way.recipient);
    await agent.submits();
    await agent.seesModal('Code sent');
    await agent.presses('Verify');
    await agent.seesModal('Verification');
    const code = codeReceived(cast, way);
    if (way.name === 'SMS') {
      await agent.fills('Code from the customer', `${code.startsWith('0') ? 1 : 0}${code.slice(1)}`);
      await agent.submits();
      await agent.seesTrouble('2 attempts left');
    }
    await agent.fills('Code from the customer', code);
    await agent.submits();
    await agent.seesModal('Verified');
    await agent.closes();
  }
};

function codeReceived({ testApp: { provider }, tenant }: Cast, { path, recipient }: Way): string {
  const sent = provider.arrivals.findLast(
    (arrival) =>
      arrival.account === tenant.key &&
      arrival.path === path &&
      arrival.text.includes(recipient.replace('+', '')),
  );
  return /"(?:code|sms)":"\D*(\d{6})\b/.exec(sent?.text ?? '')?.[1] ?? assert.fail(`no code by ${path}`);
}

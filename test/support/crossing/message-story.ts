import { send } from '../slack/sms-steps.ts';
import type { Story } from './cast.ts';
import { numberOf, senderIdOf } from './tenants.ts';

export const messageStory: Story = async ({ tenant, agent }) => {
  const { word } = tenant;
  await send(agent, { to: numberOf(tenant, 1), text: `${word} parcel`, from: senderIdOf(tenant) });
  await agent.seesModal('Message accepted');
  await agent.presses('Do not contact');
  await agent.seesModal('Do-not-contact list', 'added');
  await agent.closes();
  await agent.closes();
  await agent.types('/sms', `${numberOf(tenant, 2)} ${word} typed`);
  await agent.sees('Your message is ready');
  await agent.presses('Send');
  await agent.sees(/Accepted/);
  const said = await agent.says(`Call ${numberOf(tenant, 3)} about ${word}`);
  await agent.uses('Check numbers', said);
  await agent.sees('1 number');
  await agent.uses('Send SMS to…', said);
  await agent.seesModal('New message');
  await agent.fills('Message', `${word} by shortcut`);
  await agent.submits();
  await agent.seesModal('Message review');
  await agent.submits();
  await agent.seesModal('Message accepted');
  await agent.closes();

  await agent.types('/dnd-check', `${numberOf(tenant, 5)}, ${numberOf(tenant, 6)}`);
  await agent.sees('2 numbers');
  await agent.types('/number');
  await agent.fills('Phone number', numberOf(tenant, 7));
  await agent.fills('Show the result', 'In a channel');
  await agent.fills('Channel', tenant.channel);
  await agent.submits();
  await agent.sees('Looked up by');
  await agent.closes();
  await agent.seesHome('SMS to');
};

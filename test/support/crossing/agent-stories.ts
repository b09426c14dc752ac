import { compose } from '../campaigns.ts';
import { review } from '../slack/sms-steps.ts';
import { campaignOf, campaignStory } from './campaign-story.ts';
import { closesAll, type Story } from './cast.ts';
import { codeStory } from './code-story.ts';
import { esimStory } from './esim-story.ts';
import { messageStory } from './message-story.ts';
import { numberOf, senderIdOf } from './tenants.ts';

/** The one who is in both workspaces of the enterprise, one journey after the other. */
export const agentStory: Story = async (cast) => {
  await messageStory(cast);
  await codeStory(cast);
  await campaignStory(cast);
  await esimStory(cast);
};

/** Leaves everything that can be left half done, for a person who knows its id. */
export const leavingDrafts: Story = async ({ tenant, agent }) => {
  const { word } = tenant;
  await compose(agent, campaignOf(tenant, [60, 65], 'waiting'));
  await agent.seesModal('Campaign review', 'Needs approval');
  await agent.submits();
  await agent.seesModal('Approval', 'Waiting for approval');
  await agent.closes();
  await compose(agent, campaignOf(tenant, [66, 67], 'draft'));
  await agent.seesModal('Campaign review');
  await agent.presses('Edit');
  await agent.seesModal('New campaign');
  await agent.submits();
  await agent.seesModal('Campaign review');
  await agent.closes();
  await agent.types('/sms', 'bulk list');
  await agent.seesModal('Campaigns', `${word} draft`);
  await agent.presses('Open');
  await agent.seesModal(/Campaign/);
  await closesAll(agent);
  await agent.types('/sms', `${numberOf(tenant, 68)} ${word} left`);
  await agent.sees(new RegExp(`Your message is ready[\\s\\S]*${word} left`));
  await review(agent, { to: numberOf(tenant, 69), text: `${word} reviewed`, from: senderIdOf(tenant) });
  await agent.seesModal('Message review');
  await agent.closes();
  await agent.seesHome('SMS to');
};

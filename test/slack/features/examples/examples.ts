import type { Examples } from '../../../support/slack/example-words.ts';
import { approvals } from './approvals.ts';
import { campaigns } from './campaigns.ts';
import { contacts } from './contacts.ts';
import { esims } from './esims.ts';
import { audit, costs, history, home } from './home.ts';
import { codes, messages } from './messages.ts';
import { dndChecks, numbers } from './numbers.ts';
import { errors, outcomes } from './outcomes.ts';
import { access, replies, reports } from './settings.ts';
import { templates } from './templates.ts';

/** Examples of every screen, by feature. */
export const examples: Record<string, Examples> = {
  access,
  approvals,
  audit,
  campaigns,
  codes,
  contacts,
  costs,
  dndChecks,
  errors,
  esims,
  history,
  home,
  messages,
  numbers,
  outcomes,
  replies,
  reports,
  templates,
};

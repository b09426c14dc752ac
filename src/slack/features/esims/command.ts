import type { Permission } from '../../../domain/access/roles.ts';
import { readIccid } from '../../../domain/esims/iccid.ts';
import { countryNamed, findCountries, type NamedCountry } from '../../../domain/phone/country-names.ts';
import type { PlanType } from '../../../services/esims/esim-plans.ts';
import { context, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { PlanUse } from './plans-view.ts';

/** What `/esim …` asks for. */
export type EsimCommand =
  | { kind: 'plans'; use: PlanUse; country?: NamedCountry | undefined; type?: PlanType | undefined }
  | { kind: 'list' }
  | { kind: 'countries'; text: string }
  | { kind: 'unknown'; problem: string };

const types: Readonly<Record<string, PlanType>> = { local: 'LOCAL', region: 'REGION', regional: 'REGION' };

/**
 * `/esim` · `/esim plans nigeria local` · `/esim create NG` · `/esim top-up 8944…` · `/esim list` ·
 * `/esim countries south`. A country alone shows its plans.
 */
export function readEsimCommand(text: string): EsimCommand {
  const [, first = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  switch (first.toLowerCase()) {
    case '':
      return { kind: 'plans', use: { intent: 'any' } };
    case 'plans':
      return readPlans(rest, 'any');
    case 'create':
      return readPlans(rest, 'create');
    case 'top-up':
    case 'topup':
      return readTopUp(rest);
    case 'list':
      return { kind: 'list' };
    case 'countries':
      return { kind: 'countries', text: rest };
    default:
      return readPlans(text.trim(), 'any');
  }
}

function readPlans(text: string, intent: 'any' | 'create'): EsimCommand {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const typeWord = words.find((word) => Object.hasOwn(types, word.toLowerCase()));
  const type = typeWord === undefined ? undefined : types[typeWord.toLowerCase()];
  const countryText = words.filter((word) => word !== typeWord).join(' ');
  const country = countryText === '' ? undefined : readCountry(countryText);
  if (countryText !== '' && country === undefined) {
    return { kind: 'unknown', problem: `No country is called “${countryText}”.` };
  }
  return { kind: 'plans', use: { intent }, country, type };
}

/** Finds a country by its full name, a code, or an unambiguous part of its name. */
function readCountry(text: string): NamedCountry | undefined {
  const found = findCountries(text);
  return countryNamed(text) ?? (found.length === 1 ? found[0] : undefined);
}

function readTopUp(text: string): EsimCommand {
  if (text === '') {
    return { kind: 'plans', use: { intent: 'top_up' } };
  }
  const read = readIccid(text);
  return read.ok
    ? { kind: 'plans', use: { intent: 'top_up', iccid: read.iccid } }
    : { kind: 'unknown', problem: read.reason };
}

/** Plans are for everybody to see, until they are to be bought. */
export function esimRule(text: string): Permission {
  const command = readEsimCommand(text);
  switch (command.kind) {
    case 'plans':
      return command.use.intent === 'any' ? 'look_up' : 'buy';
    case 'list':
      return 'esim_status';
    case 'countries':
    case 'unknown':
      return 'look_up';
  }
}

export function esimHelp(prefix: string): SlackMessage {
  const name = `/${prefix}esim`;
  return message(mrkdwn`How to get eSIMs with ${name}`, [
    section(mrkdwn`*Find a data plan*, create an eSIM or top up an eSIM.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` lists all plans. \`${name} plans Kenya local\` lists the plans of a country and a type: *local* or *region*.`,
        mrkdwn`\`${name} create Kenya\` lists plans to create an eSIM with, \`${name} top-up 8944…\` plans to top up that eSIM. The price is shown before you buy.`,
        mrkdwn`\`${name} list\` lists your eSIMs, \`${name} countries\` the countries with plans.`,
        mrkdwn`\`/${prefix}esim-status\` shows the status, the QR image and the install details of an eSIM.`,
      ]}`,
    ),
    context(
      mrkdwn`An admin can switch buying off. Switchboard never repeats an order whose outcome isn’t known. Only you see the results.`,
    ),
  ]);
}

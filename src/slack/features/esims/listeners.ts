import type { Permission } from '../../../domain/access/roles.ts';
import { readIccid } from '../../../domain/esims/iccid.ts';
import { countryNamed, findCountries, type NamedCountry } from '../../../domain/phone/country-names.ts';
import type { PlanType } from '../../../services/esims/esim-plans.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { firstPosition } from '../../block-kit/paging.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { whenConnected } from '../../middleware/not-performed.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand, unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { registerEsimCountries, showCountries } from './countries.ts';
import { registerEsimList, showEsims } from './list.ts';
import { registerEsimOrders, requirePurchases } from './order.ts';
import { type PlanUse, registerEsimPlans, showPlans, showTopUps } from './plans.ts';

/** Other words name a country, or a type of plan. */
const subcommands = ['plans …', 'create …', 'top-up …', 'list', 'countries …', 'help'];

/** `/esim`: the lists of plans, eSIMs and countries, and orders. */
export function registerEsims(router: Router, context: AppContext): void {
  router.command(
    'esim',
    esimRule,
    whenConnected(context, (call) => onEsimCommand(context, call)),
    () => esimHelp(context.settings.commandPrefix),
  );
  registerEsimPlans(router, context);
  registerEsimList(router, context);
  registerEsimCountries(router, context);
  registerEsimOrders(router, context);
}

async function onEsimCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const { settings } = context;
  const { user, open } = call;
  const command = readEsimCommand(call.text);
  if (command.kind === 'plans' && command.use.intent !== 'any') {
    await requirePurchases(context, user.workspaceId);
  }
  const position = firstPosition;
  switch (command.kind) {
    case 'plans':
      return command.use.intent === 'top_up' && command.use.iccid !== undefined
        ? showTopUps(context, open, user, command.use.iccid)
        : showPlans(context, open, user, { ...command, position });
    case 'list':
      return showEsims(context, open, user.workspaceId, position);
    case 'countries':
      return showCountries(context, open, user.workspaceId, { text: command.text, position });
    case 'unknown':
      await call.reply(
        findMeantSubcommand(call.text, subcommands) === undefined
          ? errorMessage(mrkdwn`${command.problem} For help, type \`/${settings.commandPrefix}esim help\`.`)
          : unknownSubcommand(`/${settings.commandPrefix}esim`, call.text, subcommands),
      );
  }
}

/** What `/esim …` asks for. */
type EsimCommand =
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
function esimRule(text: string): Permission {
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

function esimHelp(prefix: string): SlackMessage {
  const name = `/${prefix}esim`;
  return helpMessage(
    mrkdwn`How to get eSIMs with ${name}`,
    mrkdwn`*Find a data plan*, create an eSIM or top up an eSIM.`,
    [
      mrkdwn`\`${name}\` lists all plans. \`${name} plans Kenya local\` lists the plans of a country and a type: *local* or *region*.`,
      mrkdwn`\`${name} create Kenya\` lists plans to create an eSIM with, \`${name} top-up 8944…\` plans to top up that eSIM. The price is shown before you buy.`,
      mrkdwn`\`${name} list\` lists your eSIMs, \`${name} countries\` the countries with plans.`,
      mrkdwn`\`/${prefix}esim-status\` shows the status, the QR image and the install details of an eSIM.`,
    ],
    mrkdwn`An admin can switch buying off. Switchboard never repeats an order whose outcome isn’t known. Only you see the results.`,
  );
}

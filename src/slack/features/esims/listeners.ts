import { readIccid } from '../../../domain/esims/iccid.ts';
import {
  countryNamed,
  findCountries,
  type NamedCountry,
  suggestCountries,
} from '../../../domain/phone/country-names.ts';
import type { PlanType } from '../../../services/esims/esim-plans.ts';
import { present } from '../../block-kit/build.ts';
import { brief } from '../../block-kit/limits.ts';
import { firstPosition } from '../../block-kit/paging.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { defineCommand } from '../../kit/command.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { didYouMean } from '../../middleware/unknown-subcommand.ts';
import { esimActions } from './actions.ts';
import { createEsimCountries, createEsimList } from './lists.ts';
import { registerEsimOrders } from './orders.ts';
import { registerEsimPlans, showPlans, showTopUps } from './plans.ts';

/** `/esim`: the lists of plans, eSIMs and countries, and orders. */
export function registerEsims(router: Router, context: AppContext): void {
  const list = createEsimList(context);
  const countries = createEsimCountries(context);
  createEsimCommand(context, { list, countries }).register(router);
  list.register(router);
  countries.register(router);
  router.action(esimActions.openList, 'esim_status', ({ show, user }) =>
    list.show(show, user, {}, undefined),
  );
  router.action(esimActions.openCountries, 'look_up', ({ show, user }) =>
    countries.show(show, user, {}, undefined),
  );
  registerEsimPlans(router, context);
  registerEsimOrders(router, context);
}

interface EsimLists {
  list: ReturnType<typeof createEsimList>;
  countries: ReturnType<typeof createEsimCountries>;
}

function createEsimCommand(context: AppContext, { list, countries }: EsimLists) {
  const prefix = `/${context.settings.commandPrefix}`;
  const topUps = {
    needs: 'buy' as const,
    async run(call: CommandRequest, text: string): Promise<void> {
      const { open, user } = call;
      const read = text === '' ? undefined : readIccid(text);
      if (read?.ok === false) {
        return replyProblem(context, call, read.reason);
      }
      await context.services.esimOrders.requirePurchases(user.workspaceId);
      await (read === undefined
        ? showPlans(context, open, user, { use: { intent: 'top_up' }, position: firstPosition })
        : showTopUps(context, open, user, read.iccid));
    },
  };
  const command = defineCommand(context, {
    name: 'esim',
    title: 'How to get eSIMs',
    purpose: mrkdwn`*Find a data plan*, create an eSIM or top up an eSIM.`,
    note: mrkdwn`An admin can turn off buying. Switchboard never repeats an order whose outcome isn’t known. Only you see the results.`,
    connected: true,
    words: {
      'plans …': { needs: 'look_up', run: (call, text) => findPlans(context, call, text, 'any') },
      'create …': {
        needs: 'buy',
        help: (name) =>
          mrkdwn`\`${name} create Kenya\` lists plans for a new eSIM, and \`${name} top-up 8944…\` lists plans for that eSIM. The price is shown before you buy.`,
        run: (call, text) => findPlans(context, call, text, 'create'),
      },
      'top-up …': topUps,
      'topup …': topUps,
      list: {
        needs: 'esim_status',
        help: (name) => [
          mrkdwn`\`${name} list\` lists your eSIMs.`,
          mrkdwn`\`${prefix}esim-status\` shows the status, the QR image and the install details of an eSIM.`,
        ],
        run: ({ open, user }) => list.show(open, user, {}, undefined),
      },
      'countries …': {
        needs: 'look_up',
        help: (name) => mrkdwn`\`${name} countries\` lists the countries with plans.`,
        run: ({ open, user }, country) => countries.show(open, user, { country }, undefined),
      },
    },
    otherwise: {
      needs: 'look_up',
      help: (name) =>
        mrkdwn`\`${name}\` lists all plans. \`${name} plans Kenya local\` lists the plans of a country and a type: *local* or *regional*.`,
      accepts: (text) => readPlanText(text).kind === 'plans' || !command.isMisspelt(text),
      run: (call, text) => findPlans(context, call, text, 'any'),
    },
  });
  return command;
}

async function findPlans(
  context: AppContext,
  call: CommandRequest,
  text: string,
  intent: 'any' | 'create',
): Promise<void> {
  const read = readPlanText(text);
  if (read.kind === 'unknown') {
    const problem = mrkdwn`There is no country called “${brief(read.country)}”.`;
    const word = intent === 'create' ? 'create' : 'plans';
    const meant = suggestCountries(read.country).map(({ name }) => ({
      label: mrkdwn`*${name}*`,
      text: present(word, name, read.typeWord).join(' '),
    }));
    return meant.length === 0
      ? replyProblem(context, call, problem)
      : call.reply(didYouMean('esim', problem, meant, 'Show plans'));
  }
  if (intent === 'create') {
    await context.services.esimOrders.requirePurchases(call.user.workspaceId);
  }
  await showPlans(context, call.open, call.user, { ...read, use: { intent }, position: firstPosition });
}

function replyProblem(
  { settings }: AppContext,
  { reply }: CommandRequest,
  problem: Markup | string,
): Promise<void> {
  return reply(errorMessage(mrkdwn`${problem} For help, type \`/${settings.commandPrefix}esim help\`.`));
}

const types: Readonly<Record<string, PlanType>> = { local: 'LOCAL', region: 'REGION', regional: 'REGION' };

type PlanText =
  | { kind: 'plans'; country: NamedCountry | undefined; type: PlanType | undefined }
  | { kind: 'unknown'; country: string; typeWord: string | undefined };

/** `nigeria local`: a country, a type, or both in any order. */
export function readPlanText(text: string): PlanText {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const typeWord = words.find((word) => Object.hasOwn(types, word.toLowerCase()));
  const type = typeWord === undefined ? undefined : types[typeWord.toLowerCase()];
  const name = words.filter((word) => word !== typeWord).join(' ');
  // By its full name, a code, or an unambiguous part of its name.
  const found = name === '' ? [] : findCountries(name);
  const country = countryNamed(name) ?? (found.length === 1 ? found[0] : undefined);
  return name !== '' && country === undefined
    ? { kind: 'unknown', country: name, typeWord }
    : { kind: 'plans', country, type };
}

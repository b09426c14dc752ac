import type { LimitSettings, PageBudget } from '../../domain/limits/limit-settings.ts';
import { blockOf } from '../../domain/limits/number-country.ts';
import type { Usage } from '../../domain/limits/reached-limit.ts';
import { maskNumber } from '../../domain/phone/phone-number.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { LimitStore } from '../../store/limits/limit-store.ts';
import type { Beginning, ChargedUser, Charging, NotTaken, TakenCharge } from './charging.ts';
import { type JudgedCode, judgeCode } from './code-judge.ts';
import { rateCharges, recipientCharges } from './limited-charges.ts';

type CodeUsage = Extract<Usage, { kind: 'code' }>;

/** Takes a code of all its limits, and asks the codes before whether this looks like pumping. */
export function createCodeCharging(options: {
  store: LimitStore;
  settings: LimitSettings;
  charging: Charging;
  clock: Clock;
}): (
  who: Beginning & { id: string },
  usage: CodeUsage,
  budget: PageBudget,
) => Promise<{ kind: 'taken'; charges: readonly TakenCharge[] } | NotTaken> {
  const { store, settings, charging, clock } = options;

  async function describe(
    { workspaceId, userId, id }: ChargedUser & { id: string },
    to: NonNullable<CodeUsage['to']>,
    isVerifiable: boolean,
  ): Promise<JudgedCode> {
    const code = { workspaceId, userId, id, isVerifiable };
    if (typeof to !== 'string') {
      const [recipient = ''] = await store.hashes(workspaceId, [`mailto:${to.address.toLowerCase()}`]);
      return { ...code, recipient, block: undefined, shown: to.shown };
    }
    const [recipient = '', block] = await store.hashes(workspaceId, [to, `block:${blockOf(to)}`]);
    return { ...code, recipient, block, shown: maskNumber(to) };
  }

  return async (who, { to, pages, isVerifiable }, budget) => {
    const rates = rateCharges(settings, { subject: 'codes', userId: who.userId, points: 1 });
    if (to === undefined) {
      return charging.takePages(who, { pages, budget, charges: rates });
    }
    const code = await describe(who, to, isVerifiable);
    const recipient = { hash: code.recipient, shown: code.shown };
    return charging.takePages(who, {
      pages,
      budget,
      charges: [...rates, ...recipientCharges(settings.codes, recipient)],
      judge: (transaction) => judgeCode(transaction, code, { store, limits: settings.codes, clock }),
    });
  };
}

import type { Route } from '../../domain/messages/routes.ts';
import type { Balance } from '../operations/operations.ts';

/**
 * What a message will probably cost. Amounts are decimals, followed by a space and the currency's ISO 4217 code where that
 * is known: `20400 NGN`.
 */
export type CostEstimate =
  /** No fall of the balance has shown yet what a page costs on this route. */
  | { kind: 'unknown'; balance?: Balance | undefined }
  | {
      kind: 'known';
      perPage: string;
      total: string;
      balance?: Balance | undefined;
      /** How many pages the balance pays for. */
      enoughFor?: number | undefined;
      /** Whether the balance is less than the total. */
      isShort: boolean;
    };

export interface Costs {
  estimate(workspaceId: string, message: { route: Route; pages: number }): Promise<CostEstimate>;
}

export function createCosts(options: {
  balance: (workspaceId: string) => Promise<Balance | undefined>;
}): Costs {
  return {
    async estimate(workspaceId) {
      return { kind: 'unknown', balance: await options.balance(workspaceId) };
    },
  };
}

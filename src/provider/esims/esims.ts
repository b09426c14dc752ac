import type { Timing } from '../http/timing.ts';
import type { RequestOptions, RequestSender } from '../request/request-sender.ts';
import { eachPage, type PageQuery } from '../response/paging.ts';
import {
  create,
  type DataPlanPurchase,
  type DataPlanQuery,
  type DeprecatedDataPlanQuery,
  type EsimCreation,
  type EsimReference,
  fetchPlanStatus,
  fetchProfile,
  fetchUsage,
  listCountries,
  listEsims,
  listPlans,
  listPlansDeprecated,
  purchase,
} from './esim-operations.ts';
import { authenticate, createEsimTokens, type TokenCache, withEsimToken } from './esim-token.ts';
import { createQrCode } from './qr-code.ts';

/**
 * The eSIM operations (API §4.13). The token that they need is obtained on first use, shared, renewed before it expires,
 * and replaced once where the provider refuses it. Only the request for a token is authenticated by the account's key; all
 * others carry the token.
 */
export function createEsimOperations(
  sendWithKey: RequestSender,
  options: { baseUrl: URL; totalTimeout: number; timing: Timing; tokenCache: TokenCache | undefined },
) {
  const tokens = createEsimTokens(sendWithKey, options.tokenCache, options.timing);
  const request = withEsimToken(sendWithKey, { ...options, tokens });
  return {
    /** Requests a token (API §4.13.1) for use elsewhere. The other operations obtain theirs automatically. */
    authenticate: (options?: RequestOptions) => sendWithKey(authenticate, {}, options),
    /** One page of the data plans on offer. */
    plans: (query: DataPlanQuery = {}, options?: RequestOptions) => request(listPlans, query, options),
    /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
    allPlans: (query: DataPlanQuery = {}, options?: RequestOptions) =>
      eachPage((page) => request(listPlans, page, options), query),
    /** @deprecated by the provider, in favour of `plans`. */
    plansDeprecated: (query: DeprecatedDataPlanQuery = {}, options?: RequestOptions) =>
      request(listPlansDeprecated, query, options),
    /** Creates an eSIM, which costs money. Never repeated automatically. */
    create: (creation: EsimCreation, options?: RequestOptions) => request(create, creation, options),
    /** Buys a data plan for an eSIM, or tops it up. Never repeated automatically. */
    purchase: (input: DataPlanPurchase, options?: RequestOptions) => request(purchase, input, options),
    qrCode: createQrCode(request, options),
    profile: (esim: EsimReference, options?: RequestOptions) => request(fetchProfile, esim, options),
    usage: (esim: EsimReference, options?: RequestOptions) => request(fetchUsage, esim, options),
    planStatus: (esim: EsimReference, options?: RequestOptions) => request(fetchPlanStatus, esim, options),
    /** One page of the account's eSIMs. */
    list: (query: PageQuery = {}, options?: RequestOptions) => request(listEsims, query, options),
    /** Iterates over all pages, as `allPlans` does. */
    all: (query: PageQuery = {}, options?: RequestOptions) =>
      eachPage((page) => request(listEsims, page, options), query),
    /** One page of the countries that have data plans. */
    countries: (query: PageQuery = {}, options?: RequestOptions) => request(listCountries, query, options),
    /** Iterates over all pages, as `allPlans` does. */
    allCountries: (query: PageQuery = {}, options?: RequestOptions) =>
      eachPage((page) => request(listCountries, page, options), query),
  };
}

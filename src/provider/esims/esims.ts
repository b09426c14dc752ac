import type { Outcome } from '../errors.ts';
import type { Timing } from '../http/timing.ts';
import { eachRecord } from '../request/each-record.ts';
import type { RequestOptions, RequestSender } from '../request/request-sender.ts';
import type { EsimAnswer } from '../response/envelope.ts';
import type { Page, PageQuery } from '../response/paging.ts';
import {
  create,
  type EsimOrder,
  fetchPlanStatus,
  fetchProfile,
  fetchUsage,
  listCountries,
  listEsims,
  listPlans,
  listPlansDeprecated,
  purchase,
} from './esim-operations.ts';
import type {
  DataPlan,
  DataPlanStatus,
  DataUsage,
  DeprecatedDataPlan,
  Esim,
  EsimCountry,
  EsimProfile,
} from './esim-records.ts';
import { authenticate, type EsimToken, EsimTokens, type TokenCache } from './esim-token.ts';
import { createQrCode, type FetchQrCode } from './qr/qr-code.ts';
import { withEsimToken } from './with-esim-token.ts';

/** Which data plans to list (API §4.13.2). The provider chooses what is absent. */
interface DataPlanQuery extends PageQuery {
  readonly country?: string | undefined;
  readonly type?: 'LOCAL' | 'REGION' | undefined;
}

/** Filters of the deprecated list of data plans (API §4.13.3). */
interface DeprecatedDataPlanQuery extends PageQuery {
  readonly country?: string | undefined;
  readonly region?: string | undefined;
}

/** An eSIM to create with a data plan (API §4.13.4). */
interface EsimCreation {
  readonly productId: string;
  /** ISO 3166-1 alpha-3. The API does not document whether it is required. */
  readonly iso3?: string | undefined;
}

/** A data plan to buy for an eSIM, the first or a further one (API §4.13.5). */
interface DataPlanPurchase {
  readonly iccid: string;
  readonly productId: string;
  /** ISO 3166-1 alpha-3. */
  readonly iso3: string;
}

/** An eSIM's number: 18 to 22 digits beginning 89; spaces are ignored. */
interface EsimReference {
  readonly iccid: string;
}

type EsimOutcome<T> = Promise<Outcome<T & EsimAnswer>>;

/**
 * The eSIM operations (API §4.13). The token that they need is obtained on first use, shared, renewed before it expires,
 * and replaced once where the provider refuses it.
 */
export interface EsimOperations {
  /** Requests a token (API §4.13.1) for use elsewhere. The other operations obtain theirs automatically. */
  authenticate(options?: RequestOptions): Promise<Outcome<EsimToken>>;
  /** One page of the data plans on offer. */
  plans(query?: DataPlanQuery, options?: RequestOptions): EsimOutcome<Page<DataPlan>>;
  /** Iterates over all pages. Throws a `ProviderFailure` where a page is not accepted. */
  allPlans(query?: DataPlanQuery, options?: RequestOptions): AsyncGenerator<DataPlan, void, undefined>;
  /** @deprecated by the provider, in favour of `plans`. */
  plansDeprecated(
    query?: DeprecatedDataPlanQuery,
    options?: RequestOptions,
  ): EsimOutcome<Page<DeprecatedDataPlan>>;
  /** Creates an eSIM, which costs money. Never repeated automatically. */
  create(creation: EsimCreation, options?: RequestOptions): Promise<Outcome<EsimOrder>>;
  /** Buys a data plan for an eSIM, or tops it up. Never repeated automatically. */
  purchase(purchase: DataPlanPurchase, options?: RequestOptions): Promise<Outcome<EsimOrder>>;
  qrCode: FetchQrCode;
  profile(esim: EsimReference, options?: RequestOptions): EsimOutcome<EsimProfile>;
  usage(esim: EsimReference, options?: RequestOptions): EsimOutcome<DataUsage>;
  planStatus(esim: EsimReference, options?: RequestOptions): EsimOutcome<DataPlanStatus>;
  /** One page of the account's eSIMs. */
  list(query?: PageQuery, options?: RequestOptions): EsimOutcome<Page<Esim>>;
  /** Iterates over all pages, as `allPlans` does. */
  all(query?: PageQuery, options?: RequestOptions): AsyncGenerator<Esim, void, undefined>;
  /** One page of the countries that have data plans. */
  countries(query?: PageQuery, options?: RequestOptions): EsimOutcome<Page<EsimCountry>>;
  /** Iterates over all pages, as `allPlans` does. */
  allCountries(query?: PageQuery, options?: RequestOptions): AsyncGenerator<EsimCountry, void, undefined>;
}

/** Only the request for a token is authenticated by the account's key; all others carry the token. */
export function createEsimOperations(
  sendWithKey: RequestSender,
  options: { baseUrl: URL; totalTimeout: number; timing: Timing; tokenCache: TokenCache | undefined },
): EsimOperations {
  const { timing, tokenCache } = options;
  const tokens = new EsimTokens({
    authenticate: () => sendWithKey(authenticate, {}),
    cache: tokenCache,
    now: () => timing.now(),
  });
  const request = withEsimToken(sendWithKey, { ...options, tokens });
  return {
    authenticate: (options) => sendWithKey(authenticate, {}, options),
    plans: (query = {}, options) => request(listPlans, query, options),
    allPlans: (query = {}, options) => eachRecord((page) => request(listPlans, page, options), query),
    plansDeprecated: (query = {}, options) => request(listPlansDeprecated, query, options),
    create: (creation, options) => request(create, creation, options),
    purchase: (input, options) => request(purchase, input, options),
    qrCode: createQrCode(request, options),
    profile: (esim, options) => request(fetchProfile, esim, options),
    usage: (esim, options) => request(fetchUsage, esim, options),
    planStatus: (esim, options) => request(fetchPlanStatus, esim, options),
    list: (query = {}, options) => request(listEsims, query, options),
    all: (query = {}, options) => eachRecord((page) => request(listEsims, page, options), query),
    countries: (query = {}, options) => request(listCountries, query, options),
    allCountries: (query = {}, options) => eachRecord((page) => request(listCountries, page, options), query),
  };
}

import type { Timing } from '../http/timing.ts';
import type { Outcome } from '../outcome.ts';
import type { RequestOptions, RequestSender } from '../request/request-sender.ts';
import { eachRecord } from '../request/each-record.ts';
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
import { authenticate, createEsimTokens, type EsimToken, type TokenCache } from './esim-token.ts';
import { createQrCode, type FetchQrCode } from './qr/qr-code.ts';
import { withEsimToken } from './with-token.ts';

/** Which data plans to list (API §4.13.2); whatever is left out is the provider's choice. */
interface DataPlanQuery extends PageQuery {
  readonly country?: string;
  readonly type?: 'LOCAL' | 'REGION';
}

/** What the deprecated list of data plans may be narrowed to (API §4.13.3). */
interface DeprecatedDataPlanQuery extends PageQuery {
  readonly country?: string;
  readonly region?: string;
}

/** An eSIM to be made for a data plan (API §4.13.4). */
interface EsimCreation {
  readonly productId: string;
  /** ISO 3166-1 alpha-3. Whether the provider needs it is not shown. */
  readonly iso3?: string;
}

/** A data plan to be bought for an eSIM, the first or another (API §4.13.5). */
interface DataPlanPurchase {
  readonly iccid: string;
  readonly productId: string;
  /** ISO 3166-1 alpha-3. */
  readonly iso3: string;
}

/** An eSIM by its number: 18 to 22 digits beginning 89, spaces aside. */
interface EsimReference {
  readonly iccid: string;
}

/** One answer about an eSIM or a list of them. */
type Answer<T> = Promise<Outcome<T & EsimAnswer>>;

/**
 * Everything about eSIMs (API §4.13). The token that these calls need is obtained on first use, shared, renewed in time,
 * and obtained anew once where the provider does not take it any more.
 */
export interface EsimOperations {
  /** Asks for a token of its own (§4.13.1), for use elsewhere: the others do this by themselves. */
  authenticate(options?: RequestOptions): Promise<Outcome<EsimToken>>;
  /** One page of the data plans there are to buy. */
  plans(query?: DataPlanQuery, options?: RequestOptions): Answer<Page<DataPlan>>;
  /** All of them, page after page; throws a `ProviderFailure` where a page is not accepted. */
  allPlans(query?: DataPlanQuery, options?: RequestOptions): AsyncGenerator<DataPlan, void, undefined>;
  /** @deprecated The provider has deprecated it in favour of `plans`. */
  plansDeprecated(
    query?: DeprecatedDataPlanQuery,
    options?: RequestOptions,
  ): Answer<Page<DeprecatedDataPlan>>;
  /** Makes an eSIM, which costs money. Never repeated by itself. */
  create(creation: EsimCreation, options?: RequestOptions): Promise<Outcome<EsimOrder>>;
  /** Buys a data plan for an eSIM, or tops it up. Never repeated by itself. */
  purchase(purchase: DataPlanPurchase, options?: RequestOptions): Promise<Outcome<EsimOrder>>;
  qrCode: FetchQrCode;
  profile(esim: EsimReference, options?: RequestOptions): Answer<EsimProfile>;
  usage(esim: EsimReference, options?: RequestOptions): Answer<DataUsage>;
  planStatus(esim: EsimReference, options?: RequestOptions): Answer<DataPlanStatus>;
  /** One page of the account's eSIMs. */
  list(query?: PageQuery, options?: RequestOptions): Answer<Page<Esim>>;
  /** All of them, as `allPlans`. */
  all(query?: PageQuery, options?: RequestOptions): AsyncGenerator<Esim, void, undefined>;
  /** One page of the countries that have data plans. */
  countries(query?: PageQuery, options?: RequestOptions): Answer<Page<EsimCountry>>;
  /** All of them, as `allPlans`. */
  allCountries(query?: PageQuery, options?: RequestOptions): AsyncGenerator<EsimCountry, void, undefined>;
}

/** `call` proves itself with the account's key, which only the request for a token may. */
export function createEsimOperations(
  call: RequestSender,
  options: { baseUrl: URL; totalTimeout: number; timing: Timing; tokenCache: TokenCache | undefined },
): EsimOperations {
  const { timing, tokenCache } = options;
  const tokens = createEsimTokens({
    authenticate: () => call(authenticate, {}),
    cache: tokenCache,
    now: () => timing.now(),
  });
  const ask = withEsimToken(call, { ...options, tokens });
  return {
    authenticate: (options) => call(authenticate, {}, options),
    plans: (query = {}, options) => ask(listPlans, query, options),
    allPlans: (query = {}, options) => eachRecord((asked) => ask(listPlans, asked, options), query),
    plansDeprecated: (query = {}, options) => ask(listPlansDeprecated, query, options),
    create: (creation, options) => ask(create, creation, options),
    purchase: (input, options) => ask(purchase, input, options),
    qrCode: createQrCode(ask, options),
    profile: (esim, options) => ask(fetchProfile, esim, options),
    usage: (esim, options) => ask(fetchUsage, esim, options),
    planStatus: (esim, options) => ask(fetchPlanStatus, esim, options),
    list: (query = {}, options) => ask(listEsims, query, options),
    all: (query = {}, options) => eachRecord((asked) => ask(listEsims, asked, options), query),
    countries: (query = {}, options) => ask(listCountries, query, options),
    allCountries: (query = {}, options) => eachRecord((asked) => ask(listCountries, asked, options), query),
  };
}

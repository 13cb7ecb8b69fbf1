import type { z } from 'zod';
import { type NamedService, namedServiceSchema } from '../token-service.ts';
import type { AccessPoint } from './access-point.ts';
import { HttpAccessPoint, type HttpAccessPointOptions, HttpAccessPointSchema } from './http-access-point.ts';

/** A configured access point. */
export type NamedAccessPoint = NamedService<HttpAccessPointOptions>;

/** The variable with the token of an access point: `HLID_ACCESS_POINT_TOKEN`, or with its id at the end. */
export const ACCESS_POINT_TOKEN = 'HLID_ACCESS_POINT_TOKEN';

/** An entry of `accessPoints` in cloud.yaml, completed with its token of the environment. */
export function namedAccessPointSchema(
  environment: Readonly<Record<string, string | undefined>>,
): z.ZodType<NamedAccessPoint> {
  const token = { variable: ACCESS_POINT_TOKEN, usualId: 'http' };
  return namedServiceSchema(HttpAccessPointSchema, token, environment);
}

/** The access points of the configuration. */
export class AccessPoints {
  readonly #points: ReadonlyMap<string, AccessPoint>;
  readonly #usual: string | null;

  /** @param usual the one of the sites that name none; null: there is none */
  constructor(points: ReadonlyMap<string, AccessPoint>, usual: string | null) {
    this.#points = points;
    this.#usual = usual;
  }

  static of(named: readonly NamedAccessPoint[], usual: string | null): AccessPoints {
    return new AccessPoints(new Map(named.map(({ id, config }) => [id, new HttpAccessPoint(config)])), usual);
  }

  get(id: string): AccessPoint | null {
    return this.#points.get(id) ?? null;
  }

  ids(): string[] {
    return [...this.#points.keys()];
  }

  /** The access point of a site. @returns null: there is none such */
  choose(siteAccessPoint: string | undefined): { id: string; point: AccessPoint } | null {
    const id = siteAccessPoint ?? this.#usual;
    const point = id === null ? null : this.get(id);
    return id === null || point === null ? null : { id, point };
  }
}

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ACCOUNT_ROLES } from '../../platform/http/caller.ts';
import { ROUTE_ACCESS } from './route-access.ts';

const PAGE = new URL('../../../../deploy/ROLES.md', import.meta.url);

/** The page's data of each route: the roles that may call it. */
function rolesOnPage(): [route: string, roles: string[]][] {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => /^\|.*`(GET|POST|PUT|DELETE) \//.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([, _what, routes = '', ...cells]) => {
    const roles = ACCOUNT_ROLES.filter((_role, place) => cells[place] === 'yes');
    return [...routes.matchAll(/`([^`]+)`/g)].map(([, route = '']): [string, string[]] => [route, roles]);
  });
}

it('the page of the roles names every route that others than operators may call, and who they are', () => {
  const inCode = Object.entries(ROUTE_ACCESS)
    .map(([route, { who }]) => [route, ACCOUNT_ROLES.filter((role) => who.includes(role))] as const)
    .filter(([, roles]) => roles.some((role) => role !== 'operator'));
  expect(rolesOnPage().sort()).toEqual(inCode.map(([route, roles]) => [route, [...roles]]).sort());
});

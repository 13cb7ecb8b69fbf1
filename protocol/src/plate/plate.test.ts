import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparePlates,
  findByPlate,
  foldPlate,
  HIDDEN_CHARACTER,
  knownPlate,
  normalisePlate,
  plateInText,
  readablePlate,
  typedLength,
  withoutTypedPlate,
} from './plate.ts';

const plate = fc.string({
  unit: fc.constantFrom(...'ABDÐEHIÍOÓQSTUÞÆÖØÅÜZ0123568'),
  minLength: 1,
  maxLength: 8,
});
const itself = (text: string) => text;

describe('normalisePlate', () => {
  it.each([
    ['nl-123', 'NL123'],
    [' A B·C 12 ', 'ABC12'],
    ['ÁÐÍ Þ4', 'ÁÐÍÞ4'],
    ['áðíþæö1', 'ÁÐÍÞÆÖ1'],
    ['Á1', 'Á1'],
    ['ＡＢ１２', 'AB12'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'STRASSE'],
    ['ÐORRI', 'ÐORRI'],
    ['а123вс', 'А123ВС'],
    ['—?!', ''],
  ])('writes %j as %j', (raw, written) => {
    expect(normalisePlate(raw)).toBe(written);
  });

  it('changes nothing the second time, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (raw) => {
        expect(normalisePlate(normalisePlate(raw))).toBe(normalisePlate(raw));
      }),
    );
    expect(normalisePlate(normalisePlate('ᄀ-ᅡ1'))).toBe(normalisePlate('ᄀ-ᅡ1'));
  });

  it('leaves only letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (raw) => {
        expect(normalisePlate(raw)).toMatch(/^[\p{L}\p{N}]*$/u);
      }),
    );
  });
});

describe('what is shown of a plate to who has typed one', () => {
  it.each([
    ['ÞÓR12', 'THOR12', 'ÞÓR12'],
    ['THOR12', 'ÞÓR12', 'THOR12'],
    ['ÞÓR12', 'THOR13', 'ÞÓR1•'],
    ['AEGIR', 'ÆGIR', 'AEGIR'],
    ['ÆGIR1', 'AEGIR2', 'ÆGIR•'],
    ['NKP52', 'NKX52', 'NK•52'],
    ['NKP52', 'NK52', 'NK•52'],
    ['ISABX12', 'ABX12', '••ABX12'],
    ['ABO12', 'AB012', 'AB•12'],
    // Another car: nothing but what stands in the same place.
    ['XTE11', 'BTE97', '•TE••'],
    ['ABCDE', 'XXABC', '•••••'],
  ])('%s, typed as %s, is %s', (plate, typed, shown) => {
    expect(knownPlate(plate, typed)).toBe(shown);
  });

  it('is as long as the plate, and has no letter that is not in it', () => {
    fc.assert(
      fc.property(plate, plate, (one, other) => {
        const shown = [...knownPlate(one, other)];
        expect(shown).toHaveLength([...one].length);
        for (const [at, character] of shown.entries())
          expect([[...one][at], HIDDEN_CHARACTER]).toContain(character);
        expect(knownPlate(one, one)).toBe(one);
      }),
    );
  });
});

describe('readablePlate', () => {
  it.each(['', '  ', 'unknown', 'No Plate', 'NO_PLATE', 'unlicensed', 'none', null, undefined])(
    'knows that %j is no plate',
    (raw) => {
      expect(readablePlate(raw)).toBeNull();
    },
  );

  it('refuses no plate by its shape', () => {
    expect(readablePlate('1')).toBe('1');
    expect(readablePlate('AB\uFFFD12')).toBeNull();
    expect(readablePlate('ÍSLAND')).toBe('ÍSLAND');
    expect(readablePlate('粤B12345')).toBe('粤B12345');
  });
});

describe('foldPlate', () => {
  it.each(['0DOQÐÓØĐÖ', '1ILÍŁ', '2Z', '5S', '6G', '8B', 'PÞ', 'AÆÄÅ', 'UÜ'])(
    'folds all of %s into one',
    (group) => {
      expect(new Set([...group].map(foldPlate)).size).toBe(1);
    },
  );

  it('keeps apart what OCR does not mix up', () => {
    expect(new Set(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map(foldPlate)).size).toBe(10);
    expect(new Set([...'ACEFHJKMNPRTUVWXY'].map(foldPlate)).size).toBe(17);
  });

  it.each([
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX', 'Greek'],
    ['АВЕКМНОРСТУХІЅЈ', 'ABEKMHOPCTYXISJ', 'Cyrillic'],
    ['Ё', 'E', 'Cyrillic with an accent'],
    ['αβ12', 'AB12', 'Greek in small letters'],
  ])('folds %s to %s (%s)', (other, latin) => {
    expect(foldPlate(normalisePlate(other))).toBe(foldPlate(latin));
  });

  it('keeps apart what looks like no Latin letter', () => {
    expect(new Set([...'БГДЖИЛПФЦЧШЩЫЭЮЯ'].map(foldPlate)).size).toBe(16);
    expect(new Set([...'ΓΔΘΛΞΠΣΦΨΩ'].map(foldPlate)).size).toBe(10);
  });

  it.each([
    ['ÞÓR12', 'THOR12'],
    ['ÆGIR1', 'AEGIR1'],
    ['FÜ123', 'FUE123'],
    ['LÖ123', 'LOE123'],
    ['ØRN12', '0ERN12'],
    ['ÅSE12', 'AASE12'],
    ['AÆ12', 'AAE12'],
    ['ÖE12', 'OEE12'],
    ['ŒUF1', 'OEUF1'],
  ])('has one key for %s and %s', (letter, spelt) => {
    expect(foldPlate(letter)).toBe(foldPlate(spelt));
  });

  it('folds letters of other alphabets whole', () => {
    expect(foldPlate('12가3456')).not.toBe(foldPlate('12거3456'));
    expect(foldPlate('𐐀1')).not.toBe(foldPlate('𐐁1'));
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(plate, (text) => {
        expect(foldPlate(foldPlate(text))).toBe(foldPlate(text));
      }),
    );
  });
});

describe('comparePlates', () => {
  it.each([
    ['AB123', 'AB123', 'equal'],
    ['AB123', 'A8123', 'confusable'],
    ['OIZSGB', '012568', 'confusable'],
    ['ÁB123', 'AB123', 'confusable'],
    ['ÞB123', 'PB123', 'confusable'],
    ['ΧΑΒ1234', 'XAB1234', 'confusable'],
    ['А123ВС', 'A123BC', 'confusable'],
    ['ÞÓR', 'THOR', 'confusable'],
    ['ÞÓR', 'TH0R', 'confusable'],
    ['ÆGIR', 'AEGIR', 'confusable'],
    ['ÄB123', 'ÆB123', 'confusable'],
    ['ØRN1', 'OERN1', 'confusable'],
    ['ØRN1', 'ORN1', 'confusable'],
    ['ĐAK12', 'DAK12', 'confusable'],
    ['ŁAK12', 'LAK12', 'confusable'],
    ['MÜ12', 'MUE12', 'confusable'],
    ['MÜ12', 'MU12', 'confusable'],
    ['ÅSE12', 'AASE12', 'confusable'],
    // Both are MÜ12, perhaps, but they are not each other.
    ['MU12', 'MUE12', 'near'],
    ['A1', 'AE1', 'different'],
    ['AXE12', 'AE12', 'near'],
    // The country's letters, and one line of two.
    ['ISABX12', 'ABX12', 'near'],
    ['FINABC123', 'ABC123', 'near'],
    ['DKAB12345', 'AB12345', 'near'],
    ['NAB12345', 'AB12345', 'near'],
    ['PLÞÓR12', 'THOR12', 'near'],
    ['AB123', '123', 'near'],
    ['AB123', 'AB1', 'near'],
    ['BAB1234', 'BAB', 'near'],
    ['BAB1234', '1234', 'near'],
    ['AB123', '23', 'different'],
    ['AB123', 'B12', 'different'],
    ['AB123', 'AB124', 'near'],
    ['AB123', 'B123', 'near'],
    ['AB123', 'AB12', 'near'],
    ['AB123', 'AB13', 'near'],
    ['AB123', 'A8I2', 'near'],
    ['AB123', 'XAB123', 'near'],
    ['AB1', 'AB', 'different'],
    ['AB1', 'B1', 'different'],
    ['AB123', 'AB145', 'different'],
    ['AB123', 'BA123', 'different'],
    ['AB123', '', 'different'],
  ] as const)('says of %s and %s: %s', (a, b, match) => {
    expect(comparePlates(a, b)).toBe(match);
  });

  it('says the same of both orders', () => {
    fc.assert(
      fc.property(plate, plate, (a, b) => {
        expect(comparePlates(a, b)).toBe(comparePlates(b, a));
      }),
    );
  });

  it('is confusable only where two plates share a key, so that an index finds them', () => {
    fc.assert(
      fc.property(plate, plate, (a, b) => {
        if (comparePlates(a, b) === 'confusable') expect(foldPlate(a)).toBe(foldPlate(b));
      }),
    );
  });

  it('is confusable, whichever letters of a plate are spelt out', () => {
    const spellings = { Þ: 'TH', Æ: 'AE', Ö: 'OE', Ø: 'OE', Å: 'AA', Ü: 'UE' };
    fc.assert(
      fc.property(plate, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (text, choices) => {
        const spelt = [...text]
          .map((letter, at) =>
            choices[at]
              ? (Object.entries(spellings).find(([each]) => each === letter)?.[1] ?? letter)
              : letter,
          )
          .join('');
        expect(['equal', 'confusable']).toContain(comparePlates(text, spelt));
        expect(foldPlate(text)).toBe(foldPlate(spelt));
      }),
    );
  });

  it('is near, whatever of three or more letters stands beside a plate', () => {
    const long = fc.string({ unit: fc.constantFrom(...'CFJKMNRVWXY34790'), minLength: 3, maxLength: 8 });
    const beside = fc.string({ unit: fc.constantFrom(...'CFJKMNRVWXY34790'), minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(long, beside, (text, more) => {
        for (const whole of [more + text, text + more]) {
          expect(comparePlates(whole, text)).toBe('near');
          expect(comparePlates(text, whole)).toBe('near');
        }
      }),
    );
  });
});

describe('findByPlate', () => {
  it('takes the equal one before any that looks like it', () => {
    expect(findByPlate(['AB123'], ['A8123', 'AB123', 'AB124'], itself)).toEqual({
      item: 'AB123',
      match: 'equal',
    });
  });

  it('takes a confusable one before a near one', () => {
    expect(findByPlate(['AB123'], ['AB124', 'A8123'], itself)).toEqual({
      item: 'A8123',
      match: 'confusable',
    });
  });

  it('leaves it to a person where several fit equally well', () => {
    expect(findByPlate(['ABI23'], ['AB123', 'ABL23'], itself)).toBe('ambiguous');
    expect(findByPlate(['AB123'], ['AB124', 'AB125'], itself)).toBe('ambiguous');
    expect(findByPlate(['AB123'], ['AB123', 'AB123'], itself)).toBe('ambiguous');
  });

  it('asks the best candidate first', () => {
    expect(findByPlate(['AB123', 'XY999'], ['XY999', 'AB123'], itself)).toEqual({
      item: 'AB123',
      match: 'equal',
    });
  });

  it('takes an equal second candidate before a confusable first', () => {
    expect(findByPlate(['AB123', 'XY999'], ['A8123', 'XY999'], itself)).toEqual({
      item: 'XY999',
      match: 'equal',
    });
  });

  it('searches no further than its limit', () => {
    expect(findByPlate(['AB123'], ['A8123'], itself, 'equal')).toBeNull();
    expect(findByPlate(['AB123'], ['A8123'], itself, 'confusable')).toEqual({
      item: 'A8123',
      match: 'confusable',
    });
    expect(findByPlate(['AB123'], ['AB124'], itself, 'confusable')).toBeNull();
  });

  it('passes over what has no plate', () => {
    const known = [{ plate: null }, { plate: 'AB123' }];
    expect(findByPlate(['AB123'], known, (visit) => visit.plate)).toEqual({ item: known[1], match: 'equal' });
    expect(findByPlate(['AB123'], [{ plate: null }], (visit) => visit.plate)).toBeNull();
  });

  it('never picks one of two that fit equally well, nor one that fits worse than another', () => {
    fc.assert(
      fc.property(plate, fc.array(plate, { maxLength: 6 }), (read, known) => {
        const found = findByPlate([read], known, itself);
        const levels = ['equal', 'confusable', 'near'] as const;
        const best = levels.find((level) => known.some((other) => comparePlates(read, other) === level));
        const fitting = known.filter((other) => comparePlates(read, other) === best);
        const only = best === undefined ? null : { item: fitting[0], match: best };
        expect(found).toEqual(best !== undefined && fitting.length > 1 ? 'ambiguous' : only);
      }),
    );
  });
});

describe('typedLength', () => {
  it.each([
    ['ABX12', 'AB', 2],
    ['ABX12', 'A8', 2],
    ['ÞÓR12', 'THOR', 3],
    ['THOR12', 'ÞÓR', 4],
    ['ÆGIR', 'AEG', 2],
    ['AAB12', 'AB', null],
    ['ABX12', 'ABY', null],
    ['AB', 'ABX', null],
  ])('of %s after %s', (plate, typed, length) => {
    expect(typedLength(plate, typed)).toBe(length);
  });
});

describe('withoutTypedPlate', () => {
  it.each([
    ['qxz-77 came, QXZ 77 left, Q X Z 7 7 and QXZ77', 'QXZ77', '– came, – left, – and –'],
    ['QXZ-777 and AQXZ 77', 'QXZ77', 'QXZ-777 and AQXZ 77'],
    ['1 2 cars of 12', '12', '1 2 cars of –'],
    ['{"plate":"QXZ77","due":500}', 'QXZ77', '{"plate":"–","due":500}'],
    // The sign for Kelvin and the long s are a k and an s where case does not matter.
    ['\u212A\u017F-77 came', 'KS77', '– came'],
    ['þæö-12, ÞÆÖ 12', 'ÞÆÖ12', '–, –'],
  ])('in %j finds the plate %s', (text, plate, without) => {
    expect(withoutTypedPlate(text, plate)).toBe(without);
  });
});

describe('plateInText', () => {
  it.each([
    ['Visit of QXZ77, twice', 'QXZ77', 'Visit of –, twice'],
    ['QXZ77', 'QXZ77', '–'],
    ['QXZ777 AQXZ77 QXZ-77', 'QXZ77', 'QXZ777 AQXZ77 QXZ-77'],
    ['Visit 12: 500 kr.', '12', 'Visit –: 500 kr.'],
    ['12,5 % of 1.12 kr., 12.', '12', '12,5 % of 1.12 kr., –.'],
    ['ÞÐÆ1 og XÞÐÆ1', 'ÞÐÆ1', '– og XÞÐÆ1'],
  ])('finds in %j the plate %s as a word', (text, plate, without) => {
    expect(text.replace(plateInText(plate), '–')).toBe(without);
  });
});

/** The names of folders of partitions are those of Apache Hive. */
import { hiveName } from '../../../../lib/example/write/hive-name';

describe('hiveName', () => {
  test.each([
    ['3', 'label=3'],
    ['-9223372036854775808', 'label=-9223372036854775808'],
    ['', 'label=__HIVE_DEFAULT_PARTITION__'],
    [undefined, 'label=__HIVE_DEFAULT_PARTITION__'],
    ['.', 'label=.'],
    ['..', 'label=..'],
    ['../../etc/passwd', 'label=..%2F..%2Fetc%2Fpasswd'],
    ['a\\b', 'label=a%5Cb'],
    ['\0', 'label=%00'],
    ['\n\r\t\x1f\x7f', 'label=%0A%0D%09%1F%7F'],
    ['100%', 'label=100%25'],
    ['%2F', 'label=%252F'],
    ['a=b', 'label=a%3Db'],
    [`"#%'*/:=?\\{[]^`, 'label=%22%23%25%27%2A%2F%3A%3D%3F%5C%7B%5B%5D%5E'],
    ['a b}~!@$&()+,-;<>|_`', 'label=a b}~!@$&()+,-;<>|_`'],
    ['köln 東京 🦊', 'label=köln 東京 🦊'],
    ['CON', 'label=CON'],
    ['2026-11-28 01:02:03', 'label=2026-11-28 01%3A02%3A03'],
  ])('%j on Linux', (value, expected) => {
    expect(hiveName('label', value, 'linux')).toBe(expected);
  });

  test('the name of the feature is escaped, too', () => {
    expect(hiveName('image/class=1', 'x', 'linux')).toBe('image%2Fclass%3D1=x');
  });

  test.each([
    ['a<b>c|d', 'label=a%3Cb%3Ec%7Cd'],
    ['.', 'label=%2E'],
    ['a.', 'label=a%2E'],
    ['a ', 'label=a%20'],
    ['a b.c', 'label=a b.c'],
    ['CON', 'label=CON'],
  ])('%j on Windows, where more is forbidden', (value, expected) => {
    expect(hiveName('label', value, 'win32')).toBe(expected);
  });

  test('every character comes back from the name, and none leaves the folder', () => {
    for (let code = 0; code < 256; code++) {
      const text = `a${String.fromCharCode(code)}b`;
      const name = hiveName('k', text, 'win32');
      expect(name).not.toMatch(/[/\\\0<>|:*?"]/);
      expect(decodeURIComponent(name.slice(2).replace(/%([89A-F].)/g, ''))).toBe(text);
    }
  });
});

import tseslint from 'typescript-eslint';
import { roomDirection } from './scripts/eslint/rooms.mjs';

const rooms = { rules: { 'room-direction': roomDirection } };

export default tseslint.config(
  // test/types is checked by three compilers (npm run test:types).
  {
    ignores: [
      '.cache/',
      'build/',
      'build-*/',
      'coverage/',
      'dist/',
      'docs/api/',
      'extensions/',
      'prebuilds/',
      'test/types/',
      '**/*.generated.*',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Values are validated even if their types already promise them, and fields change during an `await`.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // `!` is used where a bound was checked, which noUncheckedIndexedAccess cannot see.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // An async function turns errors into rejections, also without an `await`.
      '@typescript-eslint/require-await': 'off',
      // Messages contain sizes, offsets and counts.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['lib/**/*.{ts,tsx}'],
    plugins: { rooms },
    rules: { 'rooms/room-direction': 'error' },
  },
  {
    // Tests pass values that the types forbid, on purpose, and inspect whatever they get back.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    extends: [tseslint.configs.base],
    rules: {
      eqeqeq: 'error',
      'no-undef': 'off',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-unreachable': 'error',
      'prefer-const': 'error',
    },
  },
);

// Questions on standard input: direction, cipher, secret, IV, text, in hex behind the first two. The first
// argument is the folder of the package; a cipher with a "!" behind it has a key in place of a password.
const CryptoJS = require(process.argv[2]);
const hex = CryptoJS.enc.Hex;
const text = (digits) => Buffer.from(digits, 'hex').toString('utf8');
const lines = require('fs').readFileSync(0, 'latin1').split('\n').slice(0, -1);
for (const line of lines) {
  const [direction, what, secret, iv, value] = line.split(' ');
  const cipher = CryptoJS[what.replace('!', '')];
  const isKey = what.endsWith('!');
  const key = isKey ? hex.parse(secret) : text(secret);
  const options = isKey && iv ? { iv: hex.parse(iv) } : {};
  const answer = direction === 'encrypt'
    ? Buffer.from(cipher.encrypt(hex.parse(value), key, options).toString()).toString('hex')
    : cipher.decrypt(text(value), key, options).toString(hex);
  console.log(answer);
}

# Questions on standard input: direction, cipher, password, salt, text, in hex behind the first two.
require 'openssl'

STDIN.each_line(chomp: true) do |line|
  direction, name, *rest = line.split(/ /, -1)
  password, salt, text = rest.map { |digits| [digits].pack('H*') }
  cipher = OpenSSL::Cipher.new(name)
  direction == 'encrypt' ? cipher.encrypt : cipher.decrypt
  cipher.pkcs5_keyivgen(password, salt.empty? ? nil : salt)
  puts((text.empty? ? cipher.final : cipher.update(text) + cipher.final).unpack1('H*'))
end

# Questions on standard input: direction, module/header, password, nothing, text, in hex behind the first two.
use strict;
use warnings;
use Crypt::CBC;

while (my $line = <STDIN>) {
    chomp $line;
    my ($direction, $what, $password, undef, $text) = split / /, $line, 5;
    my ($module, $header) = split m{/}, $what;
    my $cipher = Crypt::CBC->new(
        -pass        => pack('H*', $password),
        -cipher      => $module,
        -header      => $header,
        -pbkdf       => $header eq 'randomiv' ? 'randomiv' : 'opensslv1',
        -nodeprecate => 1,
    );
    $text = pack 'H*', $text;
    print unpack('H*', $direction eq 'encrypt' ? $cipher->encrypt($text) : $cipher->decrypt($text)), "\n";
}

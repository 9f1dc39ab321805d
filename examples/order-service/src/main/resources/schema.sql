create table if not exists stock (
  product text primary key,
  quantity int not null,
  fence bigint not null default 0
);
insert into stock (product, quantity) values ('tea', 30) on conflict do nothing;
